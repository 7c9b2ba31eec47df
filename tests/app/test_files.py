"""The app's files keep the Supervisor's rules, and say what is true of the program."""

import os
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]  # it has no types; its stubs would be one more pin

from edge_gateway import __version__
from edge_gateway.settings import Settings, known_variables
from edge_gateway.supervisor import options
from scripts.set_up.places import ROOT
from tests.app.app_files import ADDON, Config, Repository, Translation, allowed, rating, read
from tests.app.private_tools import provide_tools

CONFIG = read(ADDON / "config.yaml", Config)
LANGUAGES = ("en", "de")


def test_what_is_asked_for_deserves_the_highest_rating() -> None:
    assert rating(CONFIG, profile=(ADDON / "apparmor.txt").exists(), signed=True) == 8
    assert CONFIG.version == __version__
    assert set(CONFIG.arch) == {"aarch64", "amd64"}
    read(ROOT / "repository.yaml", Repository)


def test_each_option_is_a_setting_with_a_default_that_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert CONFIG.schema.keys() == options.SETTINGS.keys()
    assert set(options.SETTINGS.values()) | set(options.FIXED) <= known_variables().keys()
    required = {name for name, element in CONFIG.schema.items() if not element.endswith("?")}
    assert required == CONFIG.options.keys()
    for name, value in CONFIG.options.items():
        assert allowed(CONFIG.schema[name], value)
    for name, value in options.settings_of(CONFIG.options).items():
        monkeypatch.setenv(name, value)
    settings = Settings.load()
    assert settings.ingress.port == CONFIG.ingress_port
    assert f"{settings.api.port}/tcp" in CONFIG.ports


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_option_and_port_has_words(language: str) -> None:
    words = read(ADDON / "translations" / f"{language}.yaml", Translation)
    assert words.configuration.keys() == CONFIG.schema.keys()
    assert words.network.keys() == CONFIG.ports.keys()


@pytest.mark.parametrize(("name", "size"), [("icon.png", (128, 128)), ("logo.png", (250, None))])
def test_pictures_have_the_size_that_the_store_shows(name: str, size: tuple[int, int | None]) -> None:
    width, height = struct.unpack(">II", (ADDON / name).read_bytes()[16:24])
    assert (width, height) == (size[0], size[1] or height)


def test_what_is_left_out_of_backups_is_what_servers_write() -> None:
    folder = Path("/mnt/data/supervisor/apps/data/12345678_mowdeck/mowdeck")
    left_out = {
        name
        for name in ("postgres", "nats", "backup", "secret.key", "token", "gateway_id", "nats_token", "runtime")
        if any((folder / name).match(pattern) for pattern in CONFIG.backup_exclude)
    }
    assert left_out == {"postgres", "nats", "runtime"}


def test_the_dockerfile_passes_its_linter() -> None:
    hadolint = provide_tools() / "bin/hadolint"
    checked = subprocess.run(  # noqa: S603 - a linter that is pinned
        [hadolint, "--failure-threshold", "style", ADDON / "Dockerfile"], check=False, capture_output=True, text=True
    )
    assert (checked.returncode, checked.stdout) == (0, "")


@pytest.mark.needs_apparmor
def test_the_profile_is_understood() -> None:
    parser = shutil.which("apparmor_parser", path=f"{os.defpath}:/usr/sbin:/sbin")
    assert parser
    # Understood and compiled, and not loaded into this machine's kernel.
    checked = subprocess.run(  # noqa: S603 - Debian's own
        [parser, "--skip-kernel-load", "--skip-cache", "--skip-read-cache", "--quiet", ADDON / "apparmor.txt"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stderr
    assert f"profile {CONFIG.slug} " in (ADDON / "apparmor.txt").read_text()


def test_what_the_image_is_built_with_is_pinned_too() -> None:
    dockerfile = " ".join((ADDON / "Dockerfile").read_text().replace("\\\n", " ").split())
    installs = [step for step in dockerfile.split("&&") if " pip install " in step]
    assert len(installs) == 2
    assert all("--require-hashes" in step for step in installs)
    assert "--no-build-isolation" in installs[1], "pip would fetch today's build tools for what comes as source"


def test_the_workflows_pass_their_linter() -> None:
    # Their schema, and what can be done to them from outside; actions are named by digest.
    zizmor, folder = provide_tools() / "bin/zizmor", ROOT / ".github"
    checked = subprocess.run(  # noqa: S603 - a linter that is pinned
        [
            zizmor,
            "--offline",
            "--strict-collection",
            "--quiet",
            "--config",
            folder / "zizmor.yml",
            folder / "workflows",
        ],
        check=False,
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_releases_build_both_architectures_and_sign() -> None:
    workflows = [yaml.safe_load(path.read_text()) for path in (ROOT / ".github/workflows").glob("*.yaml")]
    for job in (job for workflow in workflows for job in workflow["jobs"].values()):
        assert job.get("timeout-minutes") or "uses" in job, job
    release = (ROOT / ".github/workflows/release.yaml").read_text()
    assert all(arch in release for arch in CONFIG.arch)
    assert "cosign" in release

"""The parts of the page, each from what the API said of it. Pure."""

from datetime import datetime
from typing import Any

from edge_gateway.ingress.gathering import Backup, Gathered
from edge_gateway.ingress.words import (
    ago,
    code,
    duration,
    items,
    megabytes,
    moment,
    names,
    row,
    section,
    state,
    text,
)

type Item = dict[str, Any]

_ACCOUNT = {"connected": "good", "starting": "warn", "unreachable": "warn", "rejected": "bad"}
_BRIDGE = {"connected": "good", "connecting": "warn", "elsewhere": "warn", "refused": "bad"}
_ACCOUNT_REMEDY = {
    "rejected": "Log in again: Settings → Devices & services → MowDeck.",
    "unreachable": "It is tried again by itself. Does this machine reach the internet?",
}
_LATE_DAYS = 8


def health(gathered: Gathered) -> str:
    """Return what is wrong and what to do about it, and how each service is."""
    findings = gathered.lists.get("findings") or []
    said = [
        f'<div class="says {"bad" if finding["severity"] == "error" else ""}">{text(finding["detail"])}'
        f'<div class="soft">{text(finding["remedy"])}</div></div>'
        for finding in findings
    ]
    if gathered.silence:
        said.insert(0, f'<div class="says">{text(gathered.silence)}</div>')
    chips = "".join(
        f'<span class="chip">{state("●", "good" if ready else "bad")} {code(name)}</span>'
        for name, ready in gathered.services.items()
    )
    well = "" if said else f"<p>{state('All is well.', 'good')}</p>"
    memory = f'<p class="soft">Memory in use: {megabytes(gathered.memory_bytes)}</p>' if gathered.memory_bytes else ""
    return section("Health", well, *said, f'<div class="chips">{chips}</div>', memory)


def mowers(gathered: Gathered) -> str:
    """Return the mowers with the links over which they are reached."""
    return section("Mowers", items(map(_mower, gathered.lists.get("mowers") or []), empty="There are no mowers yet."))


def _mower(mower: Item) -> str:
    available = mower["available"]
    right = state(mower["activity"], "good") if available else state("not reached", "warn")
    battery = f" · battery {mower['battery_percent']} %" if mower["battery_percent"] is not None else ""
    why = "" if available else f" · {code(mower['unavailable_reason'])}"
    links = ", ".join(_link(link) for link in mower["links"]) or "no links"
    return row(text(mower["name"]), right, f"{text(mower['model'] or mower['provider'])}{battery}{why} · {links}")


def _link(link: Item) -> str:
    signal = f" {link['signal_dbm']} dBm" if link["signal_dbm"] is not None else ""
    mark = state("●", "good" if link["connected"] else "bad")
    return f"{mark} {code(link['kind'])}{signal}{' (in use)' if link['current'] else ''}"


def accounts(gathered: Gathered) -> str:
    """Return the logins at vendors, each with its budget of requests."""
    listed = gathered.lists.get("accounts") or []
    return section("Accounts", items(map(_account, listed), empty="No vendor's account is used."))


def _account(account: Item) -> str:
    status = account["status"]
    below = text(account["detail"]) if account.get("detail") else text(account["provider"])
    if remedy := _ACCOUNT_REMEDY.get(status):
        below += f"<br>{text(remedy)}"
    if usage := account.get("usage"):
        below += f"<br>{_budget(usage)}"
    return row(text(account["username"]), state(status, _ACCOUNT.get(status, "warn")), below)


def _budget(usage: Item) -> str:
    span = duration(usage["window_seconds"])
    words = f"{usage['used']} messages and {usage['requests']} requests in {span}"
    if (limit := usage.get("limit")) is not None:
        words = (
            f"{usage['used']} of {limit} messages in {span}"
            f'<meter min="0" max="{limit}" high="{limit * 0.8:.0f}" value="{min(usage["used"], limit)}"></meter>'
        )
    if usage.get("backing_off"):
        retry = usage.get("retry_in_seconds")
        words += f" · held back: {code(usage.get('reason'))}"
        words += f", again in {duration(retry)}" if retry is not None else ", until you log in"
    return words


def bridges(gathered: Gathered) -> str:
    """Return the Bluetooth bridges; nothing where the gateway knows of none."""
    listed = gathered.lists.get("bridges")
    if not listed:
        return ""
    return section("Bluetooth bridges", items(map(_bridge, listed), empty=""))


def _bridge(bridge: Item) -> str:
    slots = ""
    if bridge.get("slots") is not None:
        slots = f" · {text(bridge.get('free_slots'))} of {bridge['slots']} connections free"
    signal = f" · Wi-Fi {bridge['wifi_dbm']:.0f} dBm" if bridge.get("wifi_dbm") is not None else ""
    below = f"{text(bridge['host'])} · ESPHome {text(bridge.get('esphome_version'))}{slots}{signal}"
    return row(text(bridge["name"]), state(bridge["status"], _BRIDGE.get(bridge["status"], "warn")), below)


def runs(gathered: Gathered) -> str:
    """Return the last runs, each with its reason."""
    plans, machines = names(gathered.lists.get("schedules")), names(gathered.lists.get("mowers"))
    lines = (_run(run, plans, machines, gathered.now) for run in gathered.lists.get("runs") or [])
    return section("Last runs", items(lines, empty="No plan has fired yet."))


def _run(run: Item, plans: dict[str, str], machines: dict[str, str], now: datetime) -> str:
    outcome = run["outcome"]
    kind = "good" if outcome == "started" else "bad" if outcome == "failed" else "warn"
    plan = plans.get(run["schedule_id"], "a deleted plan")
    mower = machines.get(run["mower_id"] or "", "no mower")
    below = f"{text(mower)} · {ago(run['occurrence_at'], now)}"
    why = run.get("sentence") or run.get("reason")
    return row(text(plan), state(code(outcome or "pending"), kind), f"{below}<br>{text(why)}" if why else below)


def weather(gathered: Gathered) -> str:
    """Return the rain rule's verdict of each mower, and what it was made from."""
    machines = names(gathered.lists.get("mowers"))
    lines = (_weather(machines.get(mower, mower), told, gathered.now) for mower, told in gathered.weather.items())
    return section("Weather and rain rule", items(lines, empty="No forecast is looked at yet."))


def _weather(mower: str, told: Item, now: datetime) -> str:
    verdict = state("holds", "warn") if told["hold"] else state("lets go", "good")
    age = f" · forecast {duration(told['age_seconds'])} old" if told.get("age_seconds") is not None else ""
    until = f" · until {ago(told['pause_until'], now)}" if told.get("pause_until") else ""
    source = f"<br>{text(told['attribution'])}" if told.get("attribution") else ""
    return row(text(mower), verdict, f"{code(told['reason'])}{until}{age}{source}")


def backup(told: Backup, now: datetime) -> str:
    """Return how the backup is and how to keep the plans elsewhere."""
    if (made_at := moment(told.made_at)) is None:
        line = f"<p>{state('There is no backup yet.', 'warn')} The first backup of Home Assistant makes one.</p>"
    else:
        kind = "good" if (now - made_at).days < _LATE_DAYS else "warn"
        line = f"<p>{state('Verified', kind)} {ago(made_at, now)}: {told.rows} rows, {megabytes(told.bytes)}</p>"
    failure = f'<div class="says bad">The last backup failed: {text(told.failure)}</div>' if told.failure else ""
    return section("Backup", line, failure, '<p><a href="plans.json" download>Sites and plans as a file</a></p>')


def log(lines: tuple[str, ...]) -> str:
    """Return the end of the log, the newest line first."""
    if not lines:
        return ""
    return section("Log", f"<pre tabindex='0'>{text(chr(10).join(reversed(lines)))}</pre>")

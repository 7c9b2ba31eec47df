"""The parts of the page, each from what the API said of it. Pure."""

from typing import Any

from edge_gateway.ingress.gathering import Backup, Gathered
from edge_gateway.ingress.language import DEFAULT
from edge_gateway.ingress.reader import Reader
from edge_gateway.ingress.words import dot, items, names, row, section, state, text

type Item = dict[str, Any]

_ACCOUNT = {"connected": "good", "starting": "warn", "unreachable": "warn", "rejected": "bad"}
_BRIDGE = {"connected": "good", "connecting": "warn", "elsewhere": "warn", "refused": "bad"}
_ACTIVITY = {"error": "bad", "unknown": "warn", "paused": "warn"}
_WITH_REMEDY = ("rejected", "unreachable")
_ALMOST = 0.8
_LATE_DAYS = 8


def health(gathered: Gathered, reader: Reader) -> str:
    """Return what is wrong and what to do about it, and how each service is."""
    machines = names(gathered.lists.get("mowers"))
    said = [_finding(finding, machines, reader) for finding in gathered.lists.get("findings") or []]
    if gathered.silence:
        said.insert(0, f'<div class="says">{reader.say(gathered.silence)}</div>')
    chips = "".join(
        f'<span class="chip">{dot("good" if ready else "bad")} {reader.code("service", name)}</span>'
        for name, ready in gathered.services.items()
    )
    well = "" if said else f"<p>{state(reader.say('well'), 'good')}</p>"
    amount = reader.megabytes(gathered.memory_bytes)
    memory = f'<p class="soft">{reader.say("memory", amount=amount)}</p>' if gathered.memory_bytes else ""
    return section(reader.say("health"), well, *said, f'<div class="chips">{chips}</div>', memory)


def _finding(finding: Item, machines: dict[str, str], reader: Reader) -> str:
    name = (
        finding.get("bridge_name")
        or finding.get("principal_name")
        or machines.get(finding.get("mower_id") or "")
        or "MowDeck"
    )
    title, detail, remedy = reader.finding(finding, name)
    behind = f": {detail}" if detail else ""
    kind = "says bad" if finding["severity"] == "alarm" else "says"
    return f'<div class="{kind}"><b>{title}</b>{behind}<div class="soft">{remedy}</div></div>'


def mowers(gathered: Gathered, reader: Reader) -> str:
    """Return the mowers with the links over which they are reached."""
    lines = (_mower(mower, reader) for mower in gathered.lists.get("mowers") or [])
    return section(reader.say("mowers"), items(lines, empty=reader.say("no_mowers")))


def _mower(mower: Item, reader: Reader) -> str:
    activity = mower["activity"]
    right = state(reader.code("activity", activity), _ACTIVITY.get(activity, "good"))
    below = [text(mower["model"] or mower["provider"])]
    if mower["battery_percent"] is not None:
        below.append(reader.say("battery", percent=mower["battery_percent"]))
    if not mower["available"]:
        right = state(reader.say("not_reached"), "warn")
        below.append(reader.code("reason", mower["unavailable_reason"]))
    links = "".join(_link(link, reader) for link in mower["links"]) or reader.say("no_links")
    return row(text(mower["name"]), right, f'{" · ".join(below)}<div class="links">{links}</div>')


def _link(link: Item, reader: Reader) -> str:
    signal = f" {link['signal_dbm']} dBm" if link["signal_dbm"] is not None else ""
    used = f" ({reader.say('link_in_use')})" if link["current"] else ""
    mark = dot("good" if link["connected"] else "bad")
    return f"<span>{mark} {reader.code('link', link['kind'])}{signal}{used}</span>"


def accounts(gathered: Gathered, reader: Reader) -> str:
    """Return the logins at vendors, each with its budget of requests."""
    lines = (_account(account, reader) for account in gathered.lists.get("accounts") or [])
    return section(reader.say("accounts"), items(lines, empty=reader.say("no_accounts")))


def _account(account: Item, reader: Reader) -> str:
    status = account["status"]
    below = [text(account.get("detail") or account["provider"])]
    if status in _WITH_REMEDY:
        below.append(reader.say(f"account_{status}_remedy"))
    if usage := account.get("usage"):
        below.append(_budget(usage, reader))
    right = state(reader.code("account", status), _ACCOUNT.get(status, "warn"))
    return row(text(account["username"]), right, "<br>".join(below))


def _budget(usage: Item, reader: Reader) -> str:
    span = reader.duration(usage["window_seconds"])
    used, limit = usage["used"], usage.get("limit")
    if limit is None:
        words = reader.say("budget", used=used, requests=usage["requests"], span=span)
    else:
        words = reader.say("budget_of", used=used, limit=limit, span=span)
        words += f'<meter min="0" max="{limit}" high="{limit * _ALMOST:.0f}" value="{min(used, limit)}"></meter>'
    if usage.get("backing_off"):
        reason, retry = reader.code("reason", usage.get("reason")), usage.get("retry_in_seconds")
        if retry is None:
            held = reader.say("held_back_until_login", reason=reason)
        else:
            held = reader.say("held_back", reason=reason, length=reader.duration(retry))
        words += f'<span class="warn">{held}</span>' if limit is not None else f' · <span class="warn">{held}</span>'
    return words


def bridges(gathered: Gathered, reader: Reader) -> str:
    """Return the Bluetooth bridges; nothing where the gateway knows of none."""
    listed = gathered.lists.get("bridges")
    if not listed:
        return ""
    return section(reader.say("bridges"), items((_bridge(bridge, reader) for bridge in listed), empty=""))


def _bridge(bridge: Item, reader: Reader) -> str:
    below = [text(bridge["host"])]
    if bridge.get("esphome_version"):
        below.append(f"ESPHome {text(bridge['esphome_version'])}")
    if bridge.get("slots") is not None:
        below.append(reader.say("bridge_slots", free=text(bridge.get("free_slots")), all=bridge["slots"]))
    if bridge.get("wifi_dbm") is not None:
        below.append(reader.say("bridge_wifi", dbm=f"{bridge['wifi_dbm']:.0f}"))
    status = bridge["status"]
    right = state(reader.code("bridge", status), _BRIDGE.get(status, "warn"))
    return row(text(bridge["name"]), right, " · ".join(below))


def runs(gathered: Gathered, reader: Reader) -> str:
    """Return the last runs, each with its reason."""
    plans, machines = names(gathered.lists.get("schedules")), names(gathered.lists.get("mowers"))
    lines = (_run(run, plans, machines, reader) for run in gathered.lists.get("runs") or [])
    return section(reader.say("runs"), items(lines, empty=reader.say("no_runs")))


def _run(run: Item, plans: dict[str, str], machines: dict[str, str], reader: Reader) -> str:
    outcome = run["outcome"]
    kind = "good" if outcome == "started" else "bad" if outcome == "failed" else "warn"
    plan = text(plans[run["schedule_id"]]) if run["schedule_id"] in plans else reader.say("deleted_plan")
    mower = text(machines[run["mower_id"]]) if run["mower_id"] in machines else reader.say("no_mower")
    # The gateway's sentence with all its numbers is English; in other languages the reason is said.
    sentence = run.get("sentence") if reader.tag == DEFAULT else None
    why = text(sentence) if sentence else reader.code("reason", run["reason"]) if run.get("reason") else ""
    below = f"{mower} · {reader.ago(run['occurrence_at'])}"
    right = state(reader.code("outcome", outcome or "pending"), kind)
    return row(plan, right, f"{below}<br>{why}" if why else below)


def weather(gathered: Gathered, reader: Reader) -> str:
    """Return the rain rule's verdict of each mower, and what it was made from."""
    machines = names(gathered.lists.get("mowers"))
    lines = (_weather(machines.get(mower, mower), told, reader) for mower, told in gathered.weather.items())
    return section(reader.say("weather"), items(lines, empty=reader.say("no_weather")))


def _weather(mower: str, told: Item, reader: Reader) -> str:
    verdict = state(reader.say("holds"), "warn") if told["hold"] else state(reader.say("lets_go"), "good")
    below = [reader.code("reason", told["reason"])]
    if told.get("pause_until"):
        below.append(reader.say("until", moment=reader.moment(told["pause_until"])))
    if told.get("age_seconds") is not None:
        below.append(reader.say("forecast_age", length=reader.duration(told["age_seconds"])))
    source = f"<br>{text(told['attribution'])}" if told.get("attribution") else ""
    return row(text(mower), verdict, " · ".join(below) + source)


def backup(told: Backup, reader: Reader) -> str:
    """Return how the backup is and how to keep the plans elsewhere."""
    if told.made_at is None:
        line = f"<p>{state(reader.say('no_backup'), 'warn')} {reader.say('first_backup')}</p>"
    else:
        kind = "good" if (reader.now - told.made_at).days < _LATE_DAYS else "warn"
        holds = reader.say("backup_holds", rows=told.rows, amount=reader.megabytes(told.bytes))
        line = f"<p>{state(reader.say('verified'), kind)} {reader.ago(told.made_at)}: {holds}</p>"
    failure = ""
    if told.failure:
        failure = f'<div class="says bad">{reader.say("backup_failed", reason=text(told.failure))}</div>'
    link = f'<p><a href="plans.json" download>{reader.say("plans_file")}</a></p>'
    return section(reader.say("backup"), line, failure, link)


def log(lines: tuple[str, ...], reader: Reader) -> str:
    """Return the end of the log, the newest line first."""
    if not lines:
        return ""
    # The columns of a terminal are of no use here: each line hangs below its own beginning instead.
    shown = "".join(f"<div>{text(' '.join(line.split()).replace(' ]', ']', 1))}</div>" for line in reversed(lines))
    return section(reader.say("log"), f'<div class="log" tabindex="0">{shown}</div>')

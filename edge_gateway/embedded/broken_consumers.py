"""Consumers whose files a cut of power has broken: set aside, and made anew with everything that their streams keep.

The server leaves such a consumer out when it starts, and refuses one of the same name as long as the files are there.
How far it had come is lost with them. It begins at the first event that is kept: what comes again changes nothing,
because whoever reads tells events apart by their ids.
"""

from collections.abc import Iterator
from pathlib import Path

import nats
import nats.errors
import structlog
from nats.js import JetStreamContext, api
from nats.js.errors import NotFoundError

_log = structlog.get_logger(__name__)

_STREAMS = Path("jetstream", "$G", "streams")
"""Of the one account that the server has."""
_CONSUMERS = "obs"
_SET_ASIDE = "set-aside"
_TIMEOUT_SECONDS = 10


async def make_anew(store: Path, url: str) -> None:
    """Set the files of each consumer that the running server does not know aside, and make it anew.

    Where that fails nothing is changed: the next start tries again, until then nothing is delivered to it.
    """
    consumers = tuple(_on_disk(store))
    if not consumers:
        return
    try:
        client = await nats.connect(url, allow_reconnect=False, connect_timeout=_TIMEOUT_SECONDS)
        try:
            context = client.jetstream(timeout=_TIMEOUT_SECONDS)
            for stream, folder in consumers:
                try:
                    await context.consumer_info(stream, folder.name)
                except NotFoundError:
                    await _replace(context, stream, folder, aside=store / _SET_ASIDE)
        finally:
            await client.close()
    except (nats.errors.Error, OSError) as error:
        _log.exception("broken consumers could not be made anew", reason=str(error) or type(error).__name__)


def _on_disk(store: Path) -> Iterator[tuple[str, Path]]:
    for stream in sorted((store / _STREAMS).glob("*")):
        for folder in sorted((stream / _CONSUMERS).glob("*")):
            yield stream.name, folder


async def _replace(context: JetStreamContext, stream: str, folder: Path, *, aside: Path) -> None:
    kept = _set_aside(stream, folder, aside)
    # Whoever takes it over brings the rest of it up to date, what it filters too.
    definition = api.ConsumerConfig(
        name=folder.name,
        durable_name=folder.name,
        deliver_policy=api.DeliverPolicy.ALL,
        ack_policy=api.AckPolicy.EXPLICIT,
    )
    try:
        await context.add_consumer(stream, definition)
    except BaseException:
        _move(kept, folder)
        raise
    _log.warning(
        "a consumer's files were broken; it begins anew with all that its stream keeps",
        stream=stream,
        consumer=folder.name,
        set_aside=str(kept),
    )


def _set_aside(stream: str, folder: Path, aside: Path) -> Path:
    aside.mkdir(mode=0o700, exist_ok=True)
    number = sum(1 for _ in aside.glob(f"{stream}.{folder.name}.*"))
    return _move(folder, aside / f"{stream}.{folder.name}.{number}")


def _move(source: Path, target: Path) -> Path:
    return source.rename(target)

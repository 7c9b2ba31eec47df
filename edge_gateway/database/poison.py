"""What one message of a batch raises by its content: the batch is parted until that one stands alone and is dropped."""

import asyncpg

POISON = (
    asyncpg.DataError,
    asyncpg.IntegrityConstraintViolationError,
    # A time without a zone, one at the end of all years, a number that is none: found when it is reckoned with.
    ArithmeticError,
    TypeError,
    ValueError,
)
"""The database refuses a value, or reckoning does. What says that the database is away is not among them."""

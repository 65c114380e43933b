"""Processes that work beside this one: `pool` starts and ends them, `answering` is what they do."""

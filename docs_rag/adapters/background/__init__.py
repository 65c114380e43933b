"""The files in a state folder through which the hook starts background runs and hears of them."""

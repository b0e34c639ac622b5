"""What throughput is divided by. A module of its own, so that the commands know it without loading pandas."""

BASES = {
    "package": "rated watts of the package",
    "measured": "mean watts of the chip, measured over the load",
    "all-in": "watts with a share of server, network and cooling",
    "chip": "no watts: per chip",
}

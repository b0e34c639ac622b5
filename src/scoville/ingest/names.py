"""Keys of models, systems, engines and decoding methods, from the many ways in which files spell them.

The aliases follow the normalisation of the InferenceX app (packages/db/src/etl/normalizers.ts and
packages/constants/src/framework-aliases.ts).
"""

from __future__ import annotations

import re
from functools import lru_cache

LONGEST_KEY = 80

_MODELS = {
    "gpt-oss-120b": ("GPT-OSS 120B", "gptoss gptoss120b gpt-oss-120b gpt-oss120b"),
    "deepseek-r1": ("DeepSeek R1", "dsr1 dsr1-0528 deepseek-r1 deepseek-r1-0528"),
    "kimi-k2.5": ("Kimi K2.5", "kimik2.5 kimi-k2.5"),
    "kimi-k2.6": ("Kimi K2.6", "kimik2.6 kimi-k2.6"),
    "kimi-k2.7-code": ("Kimi K2.7 Code", "kimik2.7 kimik2.7-code kimi-k2.7-code"),
    "kimi-k3": ("Kimi K3", "kimik3 kimi-k3"),
    "llama-3.3-70b": ("Llama 3.3 70B", "llama70b llama-3.3-70b llama-3.3-70b-instruct"),
    "qwen3.5-397b-a17b": ("Qwen3.5 397B A17B", "qwen3.5 qwen3.5-397b-a17b qwen-3.5-397b-a17b"),
    "minimax-m2.5": ("MiniMax M2.5", "minimaxm2.5 minimax-m2.5"),
    "minimax-m2.7": ("MiniMax M2.7", "minimaxm2.7 minimax-m2.7"),
    "minimax-m3": ("MiniMax M3", "minimaxm3 minimax-m3"),
    "glm-5": ("GLM 5", "glm5 glm-5"),
    "glm-5.1": ("GLM 5.1", "glm5.1 glm-5.1"),
    "glm-5.2": ("GLM 5.2", "glm5.2 glm-5.2"),
    "deepseek-v4-pro": ("DeepSeek V4 Pro", "dsv4 dsv4pro dsv4-pro deepseek-v4-pro"),
}
_MODEL_ALIASES = {alias: key for key, (_, aliases) in _MODELS.items() for alias in aliases.split()}
# How a checkpoint was made, not which model it is.
_CHECKPOINT = re.compile(r"-(?:(?:nv|mx)?fp[48]|int[48]|bf16)(?:-(?:v\d|kv|preview))*$")
# Who runs the runner, not which chip it has.
_OPERATOR = re.compile(r"(?:-(?:nv|cw|amds?|trt|dgxc|slurm|nscale))*(?:_\d+)?$")

POOLED_NAMES = ("Kimi-K2.5", "MiniMax-M2.5", "GLM-5")
"""Display names under which the InferenceX dashboard pools several point releases."""

_SYSTEMS = {
    "h100": ("H100", "NVIDIA"),
    "h200": ("H200", "NVIDIA"),
    "b200": ("B200", "NVIDIA"),
    "b300": ("B300", "NVIDIA"),
    "gb200": ("GB200", "NVIDIA"),
    "gb300": ("GB300", "NVIDIA"),
    "vr200": ("Rubin (VR200)", "NVIDIA"),
    "mi300x": ("MI300X", "AMD"),
    "mi325x": ("MI325X", "AMD"),
    "mi355x": ("MI355X", "AMD"),
    "tpuv7": ("TPU v7", "Google"),
    "jalapeno": ("Jalapeño", "OpenAI / Broadcom"),
}

_ENGINES = {
    "sglang-disagg": "mori-sglang",
    "atom-disagg": "mooncake-atom",
    "dynamo-trtllm": "dynamo-trt",
    "trtllm": "trt",
    "trt-llm": "trt",
    "tensorrtllm": "trt",
    "tensorrt-llm": "trt",
}
_DISAGGREGATED_ENGINES = ("mori-", "mooncake-")

_PRECISIONS = {"nvfp4": "fp4", "mxfp4": "fp4"}
_NUMBER_FORMAT = re.compile(r"^((?:nv|mx)?(?:fp|bf|int))[-_ ]?(\d+)$")
_LAYOUT = re.compile(r"(?:(?:tp|pp|pcp|dcp|ep|dp)\d+|dpa|[pd]|\d+×(?:tp|ep)\d+|\+)", re.IGNORECASE)
_NO_SPECULATION = ("", "none", "off", "false", "no", "null", "0")
_MTP = ("mtp", "on", "true")


@lru_cache(maxsize=4096)
def model_key(name: str) -> tuple[str, bool]:
    """Key of a model, and whether it is one of those whose spellings are known.

    ``/mnt/lustre01/models/gpt-oss-120b``, ``openai--gpt-oss-120b``, ``nvidia/DeepSeek-R1-0528-FP4-V2`` and
    ``dsr1`` are known; any other name becomes a key made of its own letters.
    """
    last = re.split(r"[/\\]|--", name.strip().rstrip("/"))[-1].lower().replace("_", "-")
    bare = _CHECKPOINT.sub("", last)
    for spelling in (last, bare):
        if spelling in _MODEL_ALIASES:
            return _MODEL_ALIASES[spelling], True
    return slug(bare), False


def known_model(name: str) -> str:
    """Key of a known model in whatever case; any other name as it stands, since a data folder may have its own keys."""
    lower = name.strip().lower()
    return lower if lower in _MODELS else name


def known_system(name: str) -> str:
    """Key of a known system in whatever case; any other name as it stands."""
    lower = name.strip().lower()
    return lower if lower in _SYSTEMS else name


def model_name(key: str, stated: str = "") -> str:
    """Name of a model as the book writes it; for an unknown one the last part of what the file says."""
    if key in _MODELS:
        return _MODELS[key][0]
    return re.split(r"[/\\]|--", stated.strip().rstrip("/"))[-1] or key


@lru_cache(maxsize=4096)
def system_key(name: str) -> tuple[str, bool]:
    """Key of a system, and whether it is known: ``mi355x-amd_0``, ``b200-trt`` and ``cluster:gb300-nv`` are
    names of runners, whose first part is the chip."""
    runner = name.strip().lower().split(":")[-1]
    first = re.split(r"[-_ ]", runner)[0]
    if first in _SYSTEMS:
        return first, True
    return slug(_OPERATOR.sub("", runner, count=1)), False


def system_name(key: str, stated: str = "") -> str:
    """Name of a system as the book writes it."""
    return _SYSTEMS[key][0] if key in _SYSTEMS else stated.strip() or key


def system_vendor(key: str) -> str:
    """Maker of a system, or that it is not recorded."""
    return _SYSTEMS[key][1] if key in _SYSTEMS else "not recorded"


@lru_cache(maxsize=4096)
def engine_key(name: str) -> str:
    """Engine as InferenceX spells it now."""
    lower = word(name)
    return _ENGINES.get(lower, lower)


def engine_disaggregates(name: str) -> bool:
    """Whether an engine, in either spelling, always keeps prefill and decode on separate chips."""
    return engine_key(name).startswith(_DISAGGREGATED_ENGINES)


@lru_cache(maxsize=4096)
def precision_key(name: str) -> str:
    """Precision label; NVFP4 and MXFP4 are both ``fp4``, as in InferenceX."""
    lower = _NUMBER_FORMAT.sub(r"\1\2", name.strip().lower())
    return _PRECISIONS.get(lower, lower)


def speculation_key(stated: object) -> tuple[str, str]:
    """Decoding method as a key of `tables.SPECULATION`, and a note where the file's own word says more."""
    word = str(stated).strip().lower() if stated is not None else ""
    if word in _NO_SPECULATION:
        return "none", ""
    if word in _MTP:
        return "mtp", ""
    if word.startswith("eagle"):
        return "eagle", "" if word == "eagle" else f"speculative decoding: {word}"
    return "other", f"speculative decoding: {word}"


def known_speculation(stated: str) -> str:
    """Decoding method as a key of `tables.SPECULATION` where the word is one or says that there is none; else the word
    in small letters."""
    lower = stated.strip().lower()
    return "none" if lower in _NO_SPECULATION else lower


def word(stated: str) -> str:
    """A word of a list in its one spelling: small letters, with dashes between parts."""
    return re.sub(r"[\s_]+", "-", stated.strip().lower())


def layout(stated: str) -> str:
    """A parallel layout such as ``tp8  ep8 dpa`` in capitals; any other text as it stands."""
    parts = stated.split()
    return " ".join(parts).upper() if all(map(_LAYOUT.fullmatch, parts)) else stated


def slug(text: str) -> str:
    """A key made of a text: small letters, digits, dots and dashes, no longer than a file's name may be;
    ``unnamed`` when nothing is left."""
    return re.sub(r"[^a-z0-9.]+", "-", text.strip().lower()).strip("-.")[:LONGEST_KEY].rstrip("-.") or "unnamed"

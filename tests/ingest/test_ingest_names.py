"""Spellings of models, systems, engines and decoding methods, as they occur in public result files."""

from __future__ import annotations

import pytest

from scoville import tables
from scoville.ingest import names


@pytest.mark.parametrize(
    ("spelling", "key"),
    [
        ("gptoss", "gpt-oss-120b"),
        ("gptoss120b", "gpt-oss-120b"),
        ("openai/gpt-oss-120b", "gpt-oss-120b"),
        ("/mnt/lustre01/models/gpt-oss-120b", "gpt-oss-120b"),
        ("/home/models/openai--gpt-oss-120b", "gpt-oss-120b"),
        ("dsr1", "deepseek-r1"),
        ("DeepSeek-R1-0528", "deepseek-r1"),
        ("nvidia/DeepSeek-R1-0528-FP4-V2", "deepseek-r1"),
        ("amd/DeepSeek-R1-0528-MXFP4-Preview", "deepseek-r1"),
        ("deepseek-r1-0528-nvfp4-v2", "deepseek-r1"),
        ("kimik2.5", "kimi-k2.5"),
        ("moonshotai/Kimi-K2.5", "kimi-k2.5"),
        ("amd/Llama-3.3-70B-Instruct-FP8-KV", "llama-3.3-70b"),
        ("dsv4", "deepseek-v4-pro"),
    ],
)
def test_known_models(spelling: str, key: str) -> None:
    assert names.model_key(spelling) == (key, True)


@pytest.mark.parametrize(
    ("spelling", "key"),
    [
        ("deepseek-ai/DeepSeek-R1-Distill-Llama-70B", "deepseek-r1-distill-llama-70b"),
        ("openai/gpt-oss-20b", "gpt-oss-20b"),
        ("zai-org/GLM-6-FP8", "glm-6"),
        ("deepseek-ai/DeepSeek-V3", "deepseek-v3"),
        ("…", "unnamed"),
    ],
)
def test_a_model_that_only_looks_like_a_known_one_is_another(spelling: str, key: str) -> None:
    assert names.model_key(spelling) == (key, False)


@pytest.mark.parametrize(
    ("runner", "key", "known"),
    [
        ("h200", "h200", True),
        ("b200-trt", "b200", True),
        ("mi355x-amd_0", "mi355x", True),
        ("mi355x-amds", "mi355x", True),
        ("gb300-nv", "gb300", True),
        ("h100-cw", "h100", True),
        ("b200-dgxc-slurm", "b200", True),
        ("cluster:b300-nv", "b300", True),
        ("GB200", "gb200", True),
        ("h20-nv_3", "h20", False),
        ("RTX PRO 6000", "rtx-pro-6000", False),
    ],
)
def test_runners_name_their_chip(runner: str, key: str, known: bool) -> None:
    assert names.system_key(runner) == (key, known)


@pytest.mark.parametrize(
    ("spelling", "key"),
    [
        ("sglang-disagg", "mori-sglang"),
        ("atom-disagg", "mooncake-atom"),
        ("dynamo-trtllm", "dynamo-trt"),
        ("TRTLLM", "trt"),
        ("TRT-LLM", "trt"),
        ("TensorRT-LLM", "trt"),
        ("vllm", "vllm"),
    ],
)
def test_engines_are_spelled_as_now(spelling: str, key: str) -> None:
    assert names.engine_key(spelling) == key


def test_engines_that_always_keep_the_roles_apart() -> None:
    assert [
        e
        for e in ("sglang-disagg", "atom-disagg", "mori-sglang", "dynamo-trt", "vllm")
        if names.engine_disaggregates(e)
    ] == [
        "sglang-disagg",
        "atom-disagg",
        "mori-sglang",
    ]


@pytest.mark.parametrize(
    ("stated", "key", "note"),
    [
        (None, "none", ""),
        ("", "none", ""),
        ("false", "none", ""),
        ("off", "none", ""),
        (False, "none", ""),
        ("on", "mtp", ""),
        ("MTP", "mtp", ""),
        ("eagle", "eagle", ""),
        ("eagle3", "eagle", "speculative decoding: eagle3"),
        ("ngram", "other", "speculative decoding: ngram"),
    ],
)
def test_decoding_methods(stated: object, key: str, note: str) -> None:
    assert names.speculation_key(stated) == (key, note)
    assert key in tables.SPECULATION


def test_both_formats_of_four_bits_are_one_precision() -> None:
    assert [names.precision_key(p) for p in ("NVFP4", "mxfp4", "fp4", "FP8")] == ["fp4", "fp4", "fp4", "fp8"]

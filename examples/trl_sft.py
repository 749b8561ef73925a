"""Fine-tune a model with TRL on an export, with the loss on answers only, and score what the model then writes.

Install: pip install "warpsmith[all] @ git+ADDRESS" datasets trl      with the address of the repository
Run:     python examples/trl_sft.py        two steps of a tiny model with random weights, on a CPU, in about a minute

Replace `tiny_model` and `byte_tokenizer` by the model that you train, and let `load` read your export:
`warpsmith-dataset export data/verified --format chat --task python_to_cuda --max-tokens 6000 -o data/chat`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from datasets import Dataset as Rows
from datasets import load_dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import SFTConfig, SFTTrainer

from warpsmith.core import Pair, encode
from warpsmith.scoring import Scorer, tasks_of
from warpsmith.synthesis import pairs

TASK = "python_to_cuda"
MAX_TOKENS = 6000  # of a row; longer rows are left out, because a cut answer teaches half a kernel
END = "<end>"
CHAT = (
    "{% for message in messages %}"
    "{% if message.role == 'assistant' %}assistant: {% generation %}{{ message.content }}" + END + "{% endgeneration %}\n"
    "{% else %}{{ message.role }}: {{ message.content }}\n{% endif %}"
    "{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)
"""The template. TRL computes the loss on what stands between `generation` and `endgeneration`: answers and their ends."""


def byte_tokenizer() -> PreTrainedTokenizerFast:
    """Return a tokenizer whose tokens are bytes."""
    tokens = [END, *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokenizer = Tokenizer(models.BPE({token: number for number, token in enumerate(tokens)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=END, pad_token=END, chat_template=CHAT)


def tiny_model(tokenizer: PreTrainedTokenizerFast) -> LlamaForCausalLM:
    """Return a model with random weights."""
    tokens = {"vocab_size": len(tokenizer), "eos_token_id": tokenizer.eos_token_id}
    shape = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    return LlamaForCausalLM(LlamaConfig(max_position_embeddings=4 * MAX_TOKENS, **tokens, **shape))


def make_export(made: Sequence[Pair], folder: Path) -> Path:
    """Export some pairs as chats."""
    lines, output = folder / "pairs-00000.jsonl", folder / "chat"
    lines.write_bytes(b"".join(map(encode, made)))
    command = [Path(sys.executable).with_name("warpsmith-dataset"), "export", lines, "--format", "chat", "--task", TASK]
    subprocess.run([*command, "--split", "1", "--quiet", "-o", output], check=True, stdout=subprocess.DEVNULL)  # noqa: S603
    return output


def load(folder: Path, tokenizer: PreTrainedTokenizerFast) -> Rows:
    """Return the rows of an export that fit the model."""
    rows = load_dataset(str(folder), split="train", cache_dir=str(folder.parent / "cache"))
    return rows.filter(lambda row: len(tokenizer.apply_chat_template(row["messages"], return_dict=False)) <= MAX_TOKENS)


def make_trainer(rows: Rows, tokenizer: PreTrainedTokenizerFast, folder: Path) -> SFTTrainer:
    """Return a trainer whose loss is on the answers only."""
    settings = SFTConfig(
        output_dir=str(folder),
        max_steps=2,
        per_device_train_batch_size=2,
        learning_rate=1e-3,
        max_length=MAX_TOKENS,
        assistant_only_loss=True,
        logging_steps=1,
        report_to="none",
        save_strategy="no",
        use_cpu=True,
        gradient_checkpointing=False,  # of use for large models
    )
    return SFTTrainer(tiny_model(tokenizer), args=settings, train_dataset=rows, processing_class=tokenizer)


def answer(trainer: SFTTrainer, tokenizer: PreTrainedTokenizerFast, rows: Rows, tokens: int = 32) -> list[str]:
    """Return what the trained model answers to the questions of some rows."""
    answers = []
    for row in rows:
        asked = tokenizer.apply_chat_template(
            row["messages"][:-1], add_generation_prompt=True, return_tensors="pt", return_dict=True
        )
        written = trainer.model.generate(**asked, max_new_tokens=tokens, do_sample=False)
        answers.append(tokenizer.decode(written[0, asked["input_ids"].shape[1] :], skip_special_tokens=True))
    return answers


def main() -> None:
    """Train for two steps, print the loss, and score the answers of the model and those of the export."""
    made = list(islice(pairs(seed=7, device="both"), 16))
    tasks = {task.pair.id: task for task in tasks_of(made, [TASK])}
    tokenizer = byte_tokenizer()
    with tempfile.TemporaryDirectory() as folder, Scorer(seed=7) as scorer:
        rows = load(make_export(made, Path(folder)), tokenizer)
        trainer = make_trainer(rows, tokenizer, Path(folder) / "model")
        trainer.train()
        for step in trainer.state.log_history:
            print({name: step[name] for name in ("loss", "mean_token_accuracy", "train_runtime") if name in step})
        asked = rows.select(range(2))
        for row, text in zip(asked, answer(trainer, tokenizer, asked), strict=True):
            written, exported = scorer.score(tasks[row["id"]], [text, row["messages"][-1]["content"]])
            print({"id": row["id"], "model": written.reward, "exported answer": exported.reward})


if __name__ == "__main__":
    main()

"""Two GRPO steps of TRL on the CPU, with a tiny model with random weights that gives known completions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from warpsmith.scoring.tasks.task import Task
from warpsmith.scoring.trl import dataset, reward

pytestmark = [pytest.mark.training, pytest.mark.filterwarnings("ignore")]

END = "<end>"
CHAT = "{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}assistant: "


def byte_tokenizer(library: Any) -> Any:
    tokenizers, transformers = library("tokenizers"), library("transformers")
    tokens = [END, *sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())]
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE({token: number for number, token in enumerate(tokens)}, []))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=END, pad_token=END, chat_template=CHAT)


def model_that_says(library: Any, replies: list[list[int]]) -> Any:
    """Return a model with random weights whose completions are the replies, in turns."""
    torch, transformers = library("torch"), library("transformers")

    class Model(transformers.LlamaForCausalLM):  # type: ignore[misc]
        def generate(self, input_ids: Any, **_: Any) -> Any:
            longest = max(map(len, replies))
            rows = [replies[number % len(replies)] for number in range(len(input_ids))]
            padded = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
            return torch.cat([input_ids, padded], dim=1)

    torch.manual_seed(1)
    shape = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    return Model(transformers.LlamaConfig(vocab_size=257, eos_token_id=0, max_position_embeddings=32768, **shape))


@pytest.mark.parametrize("chat", [True, False])
def test_two_steps_of_grpo(library: Any, tasks: list[Task], right: list[str], tmp_path: Path, chat: bool) -> None:
    trl, torch = library("trl"), library("torch")
    tokenizer = byte_tokenizer(library)
    replies = [[*tokenizer(text)["input_ids"], 0] for text in (right[0], "I do not know.")]
    model = model_that_says(library, replies)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    settings = trl.GRPOConfig(
        output_dir=str(tmp_path),
        max_steps=2,
        per_device_train_batch_size=2,
        num_generations=2,
        max_completion_length=max(map(len, replies)),
        learning_rate=1e-2,
        lr_scheduler_type="constant",
        logging_steps=1,
        report_to="none",
        save_strategy="no",
        use_cpu=True,
    )
    data = dataset(tasks[:1], chat)
    assert data[0]["prompt"] == (tasks[0].messages if chat else tasks[0].prompt)
    trainer = trl.GRPOTrainer(model, reward_funcs=reward, args=settings, train_dataset=data, processing_class=tokenizer)
    trainer.train()
    steps = [step for step in trainer.state.log_history if "rewards/reward/mean" in step]
    assert [(step["rewards/reward/mean"], step["passed"]) for step in steps] == [(0.5, 0.5)] * 2
    assert all(step["reward_std"] > 0.5 and step["grad_norm"] > 0.0 for step in steps)
    assert any(not torch.equal(before[name], value) for name, value in model.state_dict().items())

"""Train a model with GRPO of TRL; the reward is whether its CUDA code is right.

Install: pip install "warpsmith[all] @ git+ADDRESS" datasets trl      with the address of the repository
Run:     python examples/trl_grpo.py        two steps of a tiny model with random weights, on a CPU, in about a minute

Replace `tiny_model` and `byte_tokenizer` by the model that you train, and let `dataset` read a file of `warpsmith-score tasks`.
"""

from __future__ import annotations

import tempfile
from itertools import islice

from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer

from warpsmith.scoring import tasks_of
from warpsmith.scoring.trl import dataset, reward
from warpsmith.synthesis import pairs

END = "<end>"
CHAT = "{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}assistant: "


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
    return LlamaForCausalLM(LlamaConfig(max_position_embeddings=16384, **tokens, **shape))


def main() -> None:
    """Train for two steps and print the logged metrics."""
    tasks = list(islice(tasks_of(pairs(seed=7, device="both"), ["python_to_cuda"]), 4))
    tokenizer = byte_tokenizer()
    with tempfile.TemporaryDirectory() as folder:
        settings = GRPOConfig(
            output_dir=folder,
            max_steps=2,
            per_device_train_batch_size=2,
            num_generations=2,
            max_completion_length=16,
            logging_steps=1,
            report_to="none",
            save_strategy="no",
            use_cpu=True,
        )
        trainer = GRPOTrainer(
            tiny_model(tokenizer),
            reward_funcs=reward,
            args=settings,
            train_dataset=dataset(tasks),
            processing_class=tokenizer,
        )
        trainer.train()
    for step in trainer.state.log_history:
        print({name: step[name] for name in ("rewards/reward/mean", "passed", "loss", "train_runtime") if name in step})


if __name__ == "__main__":
    main()

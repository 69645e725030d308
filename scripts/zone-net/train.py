"""
Trains the net that reads machine-readable zones and writes it as ONNX. README.md tells how to run it. Prints, for lines
that were not trained on, how many windows were told right: with a character in the middle, and without.
"""

import argparse
import functools
import os
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

import numpy as np
import onnx
import tensorflow as tf
from draw import ALPHABET, HEIGHT, Printer
from onnx import TensorProto, helper, numpy_helper

SEED = 20261127
# Columns of a window, and the class of windows between characters.
WINDOW, BETWEEN = 24, len(ALPHABET)
CHANNELS = (12, 20, 32, 48, 64)
BATCH, HIGHEST_RATE, SMOOTHING = 256, 3e-3, 0.03
LINES_IN_PART = 100
OUTPUT = Path(__file__).parents[2] / "server/verification/reader/zone.onnx"


@functools.cache
def printer(fonts: Path) -> Printer:
    return Printer(fonts)


def windows(fonts: Path, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns windows of a hundred lines, in thirty-seconds of a deviation, and their classes."""
    r = np.random.default_rng(seed)
    pixels, classes = [], []
    for _ in range(LINES_IN_PART):
        strip, centres, text = printer(fonts).strip(r)
        around = r.choice(centres, 12, replace=False) + r.choice([-1, 1], 12) * r.uniform(6.4, 8, 12)
        places = [(centre + r.uniform(-3.6, 3.6), character) for centre, character in zip(centres, text)]
        places += [(place, BETWEEN) for place in around]
        places += [(r.choice([WINDOW / 2, strip.shape[1] - WINDOW / 2]), BETWEEN) for _ in range(2)]
        for place, character in places:
            left = round(place - WINDOW / 2)
            if 0 <= left and left + WINDOW <= strip.shape[1]:
                pixels.append(strip[:, left : left + WINDOW])
                classes.append(character)
    return np.clip(np.stack(pixels) * 32, -127, 127).astype(np.int8), np.array(classes, np.uint8)


def model_of_net() -> tf.keras.Model:
    layers = tf.keras.layers
    first, second, third, fourth, fifth = CHANNELS
    return tf.keras.Sequential(
        [
            layers.Input((HEIGHT, WINDOW, 1)),
            layers.Conv2D(first, 3, activation="relu"),
            layers.Conv2D(second, 3, activation="relu"),
            layers.MaxPool2D(2),
            layers.Conv2D(third, 3, activation="relu"),
            layers.Conv2D(fourth, 3, activation="relu"),
            layers.MaxPool2D((2, 1)),
            layers.Conv2D(fifth, (5, 6), activation="relu"),
            layers.Dropout(0.2),
            layers.Conv2D(BETWEEN + 1, 1),
            layers.Flatten(),
        ]
    )


class OneCycle(tf.keras.optimizers.schedules.LearningRateSchedule):
    """Raises the rate over the first tenth of the steps and lowers it over the others."""

    def __init__(self, steps: int) -> None:
        self.steps = steps

    def __call__(self, step):
        done = tf.cast(step, tf.float32) / self.steps
        falling = 0.5 * (1 + tf.cos(np.pi * (done - 0.1) / 0.9)) + 1e-4
        return HIGHEST_RATE * tf.where(done < 0.1, 0.04 + 0.96 * done / 0.1, falling)

    def get_config(self) -> dict:
        return {"steps": self.steps}


def train(pixels: np.ndarray, classes: np.ndarray, epochs: float, held: tuple[np.ndarray, np.ndarray]):
    """Trains the net and returns its weights, layer by layer."""
    steps = int(len(pixels) * epochs // BATCH)
    model = model_of_net()
    optimizer = tf.keras.optimizers.AdamW(OneCycle(steps), weight_decay=1e-3, global_clipnorm=1.0)
    loss_of = tf.keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=SMOOTHING)

    @tf.function
    def step(x, y):
        x = tf.cast(x, tf.float32)[..., None] / 32
        with tf.GradientTape() as tape:
            loss = loss_of(tf.one_hot(y, BETWEEN + 1), model(x, training=True))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    r = np.random.default_rng(SEED)
    order, used, start = r.permutation(len(pixels)), 0, time.time()
    for number in range(1, steps + 1):
        if used + BATCH > len(pixels):
            order, used = r.permutation(len(pixels)), 0
        batch = np.sort(order[used : used + BATCH])
        used += BATCH
        loss = step(pixels[batch], classes[batch])
        if number % 400 == 0 or number == steps:
            right = model.predict(held[0].astype(np.float32)[..., None] / 32, 500, verbose=0).argmax(1) == held[1]
            is_character = held[1] != BETWEEN
            print(
                f"step {number} of {steps}: loss {float(loss):.3f}, {right[is_character].mean():.4f} of the characters "
                f"and {right[~is_character].mean():.4f} of the others, {time.time() - start:.0f} s",
                flush=True,
            )
    return [variable.numpy() for variable in model.trainable_variables]


def as_onnx(weights: list[np.ndarray]) -> onnx.ModelProto:
    """Returns the net as it runs over strips of any width: without a window, and with likelihoods."""
    nodes, constants, last = [], [], "strip"

    def add(kind: str, name: str, *inputs: str, **settings) -> None:
        nonlocal last
        nodes.append(helper.make_node(kind, [last, *inputs], [name], **settings))
        last = name

    for layer in range(len(CHANNELS) + 1):
        kernel, bias = weights[2 * layer], weights[2 * layer + 1]
        constants.append(numpy_helper.from_array(kernel.transpose(3, 2, 0, 1).copy(), f"kernel{layer}"))
        constants.append(numpy_helper.from_array(bias, f"bias{layer}"))
        add("Conv", f"sum{layer}", f"kernel{layer}", f"bias{layer}")
        if layer < len(CHANNELS):
            add("Relu", f"positive{layer}")
        if layer == 1:
            add("MaxPool", "half", kernel_shape=[2, 2], strides=[2, 2])
        if layer == 3:
            add("MaxPool", "quarter", kernel_shape=[2, 1], strides=[2, 1])
    add("Softmax", "likelihoods", axis=1)
    strip = helper.make_tensor_value_info("strip", TensorProto.FLOAT, ["strips", 1, HEIGHT, "columns"])
    shape = ["strips", BETWEEN + 1, 1, "places"]
    likelihoods = helper.make_tensor_value_info("likelihoods", TensorProto.FLOAT, shape)
    graph = helper.make_graph(nodes, "zone", [strip], [likelihoods], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fonts", type=Path, required=True, help="folder of the OpenType files of OCR-B")
    parser.add_argument("--lines", type=int, default=10_000, help="lines to draw")
    parser.add_argument("--epochs", type=float, default=2, help="how often each window is used")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="file of the net")
    options = parser.parse_args()
    tf.keras.utils.set_random_seed(SEED)
    draw = functools.partial(windows, options.fonts)
    with ProcessPoolExecutor() as processes:
        parts = list(processes.map(draw, range(SEED, SEED + options.lines // LINES_IN_PART)))
    pixels, classes = (np.concatenate(part) for part in zip(*parts))
    print(f"{len(pixels)} windows of {options.lines} lines", flush=True)
    weights = train(pixels, classes, options.epochs, draw(1))
    options.output.write_bytes(as_onnx(weights).SerializeToString())
    print(f"{options.output}: {options.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()

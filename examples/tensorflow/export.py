"""Writes a function of TensorFlow as a program of StableHLO, with its arguments and results.

    python examples/tensorflow/export.py FOLDER

The program is FOLDER/model.mlir; its arguments, in this order, are the arguments of the function
and the variables that it reads.
"""

import pathlib
import sys

import numpy as np
import tensorflow as tf


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        generator = tf.random.Generator.from_seed(0)
        self.kernel = tf.Variable(generator.normal((3, 3, 1, 8)))
        self.weights = tf.Variable(generator.normal((8 * 13 * 13, 10), stddev=0.05))

    @tf.function(jit_compile=True)
    def __call__(self, images):
        features = tf.nn.relu(tf.nn.conv2d(images, self.kernel, strides=1, padding="VALID"))
        features = tf.nn.max_pool2d(features, ksize=2, strides=2, padding="VALID")
        return tf.nn.softmax(tf.reshape(features, (images.shape[0], -1)) @ self.weights)


def main(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    model = Model()
    images = tf.random.Generator.from_seed(1).normal((4, 28, 28, 1))
    program = model.__call__.experimental_get_compiler_ir(images)(stage="stablehlo")
    (folder / "model.mlir").write_text(program)
    variables = model.__call__.get_concrete_function(images).captured_inputs
    arguments = [images, *(model.variables[_index(model, handle)] for handle in variables)]
    for number, argument in enumerate(arguments):
        np.save(folder / f"argument{number}.npy", argument.numpy())
    np.save(folder / "expected.npy", model(images).numpy())


def _index(model, handle):
    """The variable of a captured handle."""
    return [variable.handle is handle for variable in model.variables].index(True)


if __name__ == "__main__":
    main(sys.argv[1])

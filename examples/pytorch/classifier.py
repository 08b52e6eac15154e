"""A network of PyTorch on Halo: torchax runs modules on the platform of JAX.

    JAX_PLATFORMS=halo python examples/pytorch/classifier.py
"""

import torch
import torchax
from torchax import interop


class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = torch.nn.Conv2d(1, 8, 3)
        self.normalization = torch.nn.BatchNorm2d(8)
        self.output = torch.nn.Linear(8 * 13 * 13, 10)

    def forward(self, images):
        features = torch.relu(self.normalization(self.convolution(images)))
        features = torch.nn.functional.max_pool2d(features, 2)
        return self.output(features.flatten(1))


def run():
    """Probabilities and gradients, on Halo and by PyTorch."""
    torch.manual_seed(0)
    model = Classifier().eval()
    images, labels = torch.randn(32, 1, 28, 28), torch.randint(0, 10, (32,))
    loss = torch.nn.functional.cross_entropy(model(images), labels)
    expected = [model(images).softmax(1), *torch.autograd.grad(loss, model.parameters())]

    with torchax.default_env():
        model.to("jax")
        images, labels = images.to("jax"), labels.to("jax")
        weights = dict(model.named_parameters())
        buffers = dict(model.named_buffers())

        def predict(weights, images):
            return torch.func.functional_call(model, (weights, buffers), (images,))

        def loss(weights, images, labels):
            return torch.nn.functional.cross_entropy(predict(weights, images), labels)

        value_and_gradients = interop.jax_value_and_grad(loss)
        probabilities = interop.jax_jit(predict)(weights, images).softmax(1)
        _, gradients = interop.jax_jit(value_and_gradients)(weights, images, labels)
        actual = [probabilities, *(gradients[name] for name in weights)]
        actual = [tensor.detach().cpu() for tensor in actual]
    return actual, expected


def main():
    for one, other in zip(*run(), strict=True):
        torch.testing.assert_close(one, other.detach(), rtol=1e-3, atol=1e-5)
    print("probabilities and gradients agree with PyTorch")


if __name__ == "__main__":
    main()

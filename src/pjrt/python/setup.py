"""Names the wheel after the platform of the libraries in it, which any Python 3 can load."""

import os

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel


class PlatformDistribution(Distribution):
    def has_ext_modules(self):
        return True


class PlatformWheel(bdist_wheel):
    def get_tag(self):
        # Libraries that are linked for older distributions name the platform themselves.
        tag = os.environ.get("HALO_WHEEL_TAG")
        return tuple(tag.split("-")) if tag else ("py3", "none", super().get_tag()[2])


setup(distclass=PlatformDistribution, cmdclass={"bdist_wheel": PlatformWheel})

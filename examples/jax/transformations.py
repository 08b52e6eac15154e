"""What JAX does with functions: grad, vmap, scan, while_loop, cond, and any mix of them."""

import jax
import jax.numpy as jnp
from jax import lax


def newton(function, x):
    """A root of a function, by Newton's method."""
    slope = jax.grad(function)

    def not_there(state):
        x, steps = state
        return (jnp.abs(function(x)) > 1e-6) & (steps < 50)

    def closer(state):
        x, steps = state
        return x - function(x) / slope(x), steps + 1

    return lax.while_loop(not_there, closer, (x, 0))


def pendulum(angle, steps=200, dt=0.05):
    """The angles of a pendulum over time, and its energy at the end."""

    def move(state, _):
        angle, speed = state
        speed = speed - dt * jnp.sin(angle)
        return (angle + dt * speed, speed), angle

    (angle, speed), angles = lax.scan(move, (angle, 0.0), length=steps)
    return angles, speed**2 / 2 - jnp.cos(angle)


def collatz(n):
    """How many steps it takes to one."""
    halve = lambda n: n // 2
    triple = lambda n: 3 * n + 1
    step = lambda state: (lax.cond(state[0] % 2 == 0, halve, triple, state[0]), state[1] + 1)
    return lax.while_loop(lambda state: state[0] > 1, step, (n, 0))[1]


def run():
    roots = jax.vmap(lambda a: newton(lambda x: x * x - a, 1.0))(jnp.array([2.0, 9.0, 100.0]))
    angles, energy = jax.jit(jax.vmap(pendulum))(jnp.array([0.1, 1.0, 3.0]))
    sensitivity = jax.grad(lambda angle: pendulum(angle)[0][-1])(1.0)
    curvature = jax.hessian(lambda x: jnp.sum(jnp.sin(x) * x[::-1]))(jnp.arange(3.0))
    steps = jax.jit(jax.vmap(collatz))(jnp.arange(1, 20))
    return roots, angles, energy, sensitivity, curvature, steps


if __name__ == "__main__":
    (roots, _), _, energy, sensitivity, _, steps = run()
    print(f"on {jax.default_backend()}: roots {roots}, energies {energy}, steps {steps}")
    print(f"the last angle moves by {sensitivity:.3f} times the first")

"""Writes the programs of JAX in this folder: python export.py FOLDER. The lines before a program are
written by hand."""

import os
import sys

os.environ['XLA_FLAGS']='--xla_force_host_platform_device_count=8'
os.environ['JAX_PLATFORMS']='cpu'
import jax, jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P
A=jax.sharding.AxisType.Auto
def mlp(params,x,y):
    w1,b1,w2=params
    h=jnp.tanh(x@w1+b1)
    return jnp.mean((h@w2-y)**2)
def data(n):
    mesh=jax.make_mesh((n,),('d',),axis_types=(A,)); s=lambda *a:NamedSharding(mesh,P(*a))
    f=jax.grad(mlp)
    args=((jnp.ones((6,8)),jnp.ones(8),jnp.ones((8,4))),jnp.ones((8,6)),jnp.ones((8,4)))
    w=(s(),s(),s())
    return jax.jit(f,in_shardings=(w,s('d'),s('d')),out_shardings=w).lower(*args).as_text()
def megatron(n):
    mesh=jax.make_mesh((n,),('t',),axis_types=(A,)); s=lambda *a:NamedSharding(mesh,P(*a))
    def f(x,w1,w2): return x+jax.nn.gelu(x@w1)@w2
    return jax.jit(f,in_shardings=(s(),s(None,'t'),s('t',None)),out_shardings=s()).lower(jnp.ones((4,8)),jnp.ones((8,16)),jnp.ones((16,8))).as_text()
def transformer():
    mesh=jax.make_mesh((2,4),('d','t'),axis_types=(A,A)); s=lambda *a:NamedSharding(mesh,P(*a))
    def f(x,wq,wk,wv,wo,w1,w2):
        q,k,v=(jnp.einsum('bsd,dhe->bshe',x,w) for w in (wq,wk,wv))
        a=jax.nn.softmax(jnp.einsum('bshe,bthe->bhst',q,k)/2.)
        x=x+jnp.einsum('bhst,bthe,hed->bsd',a,v,wo)
        return x+jax.nn.gelu(x@w1)@w2
    ws=[jnp.ones((8,4,4))]*3+[jnp.ones((4,4,8)),jnp.ones((8,16)),jnp.ones((16,8))]
    sh=[s(None,'t',None)]*3+[s('t',None,None),s(None,'t'),s('t',None)]
    return jax.jit(f,in_shardings=(s('d'),*sh),out_shardings=s('d')).lower(jnp.ones((2,4,8)),*ws).as_text()
d=sys.argv[1]
for name,t in [('data_parallel',data(4)),('tensor_parallel',megatron(4)),('transformer',transformer())]:
    open(f'{d}/{name}.mlir','w').write(t)

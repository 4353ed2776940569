# The compiled kernel, as Python sees it: one block for each bindings/bind_x.cpp, in the order of module.cpp.

# bind_version
__version__: str

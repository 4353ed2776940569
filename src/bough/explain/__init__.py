"""Why a case got its answer, what would change it, and what each column adds."""

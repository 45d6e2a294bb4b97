// The seeds of a simulation: AGIO_SIM_SEEDS=n runs n seeds, AGIO_SIM_SEED=n repeats the one that
// failed.

/** Runs each seed, and names a seed that fails. Returns whether at least `usual` seeds ran. */
export async function runSeeds(
  usual: number,
  run: (seed: number) => Promise<unknown>,
): Promise<boolean> {
  const { AGIO_SIM_SEED, AGIO_SIM_SEEDS } = process.env;
  const count = Number(AGIO_SIM_SEEDS ?? usual);
  const all = Array.from({ length: count }, (_, i) => i + 1);
  const seeds = AGIO_SIM_SEED === undefined ? all : [Number(AGIO_SIM_SEED)];
  for (const seed of seeds) {
    try {
      await run(seed);
    } catch (error) {
      throw new Error(`seed ${seed} fails; AGIO_SIM_SEED=${seed} repeats it`, { cause: error });
    }
  }
  return seeds.length >= usual;
}

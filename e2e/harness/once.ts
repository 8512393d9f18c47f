/** What is made once a run and shared by all files: its failure is told in full to the first that asks, and in short to the others. */

export function once<Made>(what: string, make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  let isTold = false;
  return async () => {
    made ??= make();
    try {
      return await made;
    } catch (error) {
      if (isTold) throw new Error(`There is no ${what}: the first failure above tells why.`);
      isTold = true;
      throw error;
    }
  };
}

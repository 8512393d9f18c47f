/** The lines in which npm tells which script it runs, as `> my-app@0.1.0 dev`: nothing that a page has to show. */

export function isBanner(line: string): boolean {
  return /^> \S/.test(line);
}

export function withoutBanner(printed: string): string {
  return printed
    .split("\n")
    .filter((line) => !isBanner(line))
    .join("\n");
}

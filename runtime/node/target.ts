/** The forms of a request's target and of an authority in HTTP/1.1 (RFC 9112 section 3.2). */

/** @example splitAbsoluteForm("http://a.example/b?c") // { authority: "a.example", target: "/b?c" } */
export function splitAbsoluteForm(url: string): { authority: string; target: string } | undefined {
  if (url.startsWith("/")) return undefined;
  const [, authority, rest] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (authority === undefined || rest === undefined) return undefined;
  return { authority, target: rest.startsWith("/") ? rest : `/${rest}` };
}

/** Strict, because it becomes part of `request.url`: nothing in it may move the end of the host, such as `@` or `/`. */
export function isAuthority(text: string): boolean {
  return /^(?:[\w.~-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?$/.test(text) && URL.canParse(`http://${text}/`);
}

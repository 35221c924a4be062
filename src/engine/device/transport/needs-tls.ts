const WORDS =
  /plain HTTP request was sent to HTTPS|requires? (?:TLS|HTTPS|SSL)|speaking plain HTTP to an SSL/i;

/** Returns true if an answer to plain HTTP says that the port expects TLS, as common web servers do. */
export function needsTls({ http, text }: { readonly http: number; readonly text: string }): boolean {
  return http === 400 && WORDS.test(text);
}

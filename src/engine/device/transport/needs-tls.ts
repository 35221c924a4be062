const WORDS =
  /plain HTTP request was sent to HTTPS|requires? (?:TLS|HTTPS|SSL)|speaking plain HTTP to an SSL/i;

/** Returns true for what a web server answers to plain text at its encrypted port. */
export function needsTls({ http, text }: { readonly http: number; readonly text: string }): boolean {
  return http === 400 && WORDS.test(text);
}

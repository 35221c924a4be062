/** A variable's name as people would write it: `alertTemperature` is `Alert temperature`. */
export function readableName(name: string): string {
  const words = name
    .replace(/[_-]+/g, ' ')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .trim()
    .split(/\s+/)
    .map((word) => (/^\p{Lu}{2,}/u.test(word) ? word : word.toLowerCase()))
    .join(' ');
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

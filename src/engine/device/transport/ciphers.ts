/**
 * For the end of a list of ciphers. With Diffie-Hellman over numbers the other side chooses how long these are: at
 * 10 000 bits one handshake keeps this process busy for a second. Browsers do not offer it any more either.
 */
export const WITHOUT_DHE = '!kDHE';

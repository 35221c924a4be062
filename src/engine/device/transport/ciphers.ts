/**
 * Suffix for a list of ciphers. With finite-field Diffie-Hellman the other side chooses the size: at 10 000
 * bits one handshake keeps this process busy for a second. Browsers no longer offer it either.
 */
export const WITHOUT_DHE = '!kDHE';

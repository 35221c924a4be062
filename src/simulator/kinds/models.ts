/** `standard` is the device as the kinds describe it; `compact` its smaller sister with fewer channels and tighter limits; `dual` a camera with a visible channel before the thermal one. */
export const MODELS = ['standard', 'compact', 'dual'] as const;
export type Model = (typeof MODELS)[number];

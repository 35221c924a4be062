import type { PackedSystem } from './config.mjs';

export function getHostSystem(): PackedSystem;

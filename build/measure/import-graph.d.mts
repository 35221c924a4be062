type Imports = ReadonlyMap<string, readonly string[]>;

export declare function readImports(folder: string): Imports;
export declare function findCircles(imports: Imports): readonly (readonly string[])[];

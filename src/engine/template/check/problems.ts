/** Collects every error of a document, each with its place in the file. */
import { say, formatDetail, splitSentences, type Detail } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { getParentPath } from '#protocol/index.ts';
import {
  FieldwrightError,
  appError,
  type AllowedValues,
  type ErrorCode,
  type ErrorShape,
} from '#shared/errors.ts';
import { TEMPLATE_LIMITS } from '#template/limits.ts';
import type { Position } from '#template/read-yaml.ts';
import type { SourceTree } from '#template/source-tree.ts';

interface ProblemDetails {
  readonly nearest?: string | undefined;
  readonly allowed?: AllowedValues;
  readonly hint?: string;
  readonly operation?: string;
  readonly device?: string;
  /** Point at the name instead of the value. */
  readonly atKey?: boolean;
  readonly position?: Position;
}

/** Owns the list of errors of one check. */
export class Problems {
  readonly #file: string | undefined;
  readonly #errors: ErrorShape[] = [];
  readonly #warnings: ErrorShape[] = [];
  #tree: SourceTree | undefined;

  constructor(file?: string) {
    this.#file = file;
  }

  /** Makes later lookups of paths use this tree. */
  locateIn(tree: SourceTree): void {
    this.#tree = tree;
  }

  add(code: ErrorCode, path: string, detail: Detail, details: ProblemDetails = {}): void {
    this.addShape({ code, ...describeProblem(detail, details.nearest) }, path, details);
  }

  /** One that has its words already. */
  addShape(
    shape: Pick<ErrorShape, 'code' | 'message' | 'hint' | 'detail' | 'nearest' | 'allowed'>,
    path: string,
    details: ProblemDetails = {},
  ): void {
    const found = shape.code === 'unusual' ? this.#warnings : this.#errors;
    if (found.length >= TEMPLATE_LIMITS.errors) return;
    const { atKey, position, ...extra } = details;
    const place = position ?? this.#locate(path, atKey ?? false);
    found.push({
      source: 'user',
      ...shape,
      ...removeUndefined(extra),
      path,
      ...removeUndefined({ file: this.#file }),
      ...place,
    });
  }

  /** Nothing more is taken in: what would be added need not be worked out. */
  get isFull(): boolean {
    return this.#errors.length >= TEMPLATE_LIMITS.errors;
  }

  get errors(): readonly ErrorShape[] {
    return inOrder(this.#errors);
  }

  /** Returns problems that are unusual without being wrong. */
  get warnings(): readonly ErrorShape[] {
    return inOrder(this.#warnings);
  }

  /** The place of the value or name, else of the nearest one around it. */
  #locate(path: string, atKey: boolean): Position | undefined {
    if (this.#tree === undefined) return undefined;
    for (let at = path; ; at = getParentPath(at)) {
      const place =
        (atKey ? this.#tree.keys.get(at) : undefined) ?? this.#tree.values.get(at) ?? this.#tree.keys.get(at);
      if (place !== undefined || at === '') return place;
    }
  }
}

function inOrder(found: readonly ErrorShape[]): readonly ErrorShape[] {
  return [...found].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

/** Formats a problem; in English it also suggests the nearest name. */
export function describeProblem(
  detail: Detail,
  nearest: string | undefined,
): Pick<ErrorShape, 'message' | 'hint' | 'detail'> {
  const { message, ...hint } = splitSentences(formatDetail(detail));
  const question = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return { message: message + question, ...hint, detail };
}

/** One error that carries all of them: the first, with the others beside it. */
export function combineErrors(errors: readonly ErrorShape[]): FieldwrightError {
  const [first, ...others] = errors;
  if (first === undefined) throw appError('internal', say('no-cause'));
  return new FieldwrightError(others.length === 0 ? first : { ...first, others });
}

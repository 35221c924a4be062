/**
 * Blocks of files on their way to devices: each read once for all that are about the same place in a file, and sent
 * from there to every one of them. However many fetch, it costs no more memory than this.
 */
import { BLOCK, type PackageFile } from './package-file.ts';
import { MOST_ANSWERS } from './shares.ts';
import { CheckBudget, readBlocks } from './read-blocks.ts';

/** Size from which a piece is not read ahead. */
const PLENTY = 40;
/** Blocks in memory for all files: 26 MB. An answer that holds no block always gets one. */
const MOST = PLENTY + MOST_ANSWERS;
/** Number of unused blocks kept for answers that are not far behind. */
const MOST_KEPT = 32;

/** Block in use until it is released. */
export interface Block {
  readonly index: number;
  /** Rejects with FileTrouble where the file is not what was hashed any more. */
  readonly bytes: Promise<Buffer>;
}

/** One answer on its way through a file. */
export interface Reader {
  readonly file: PackageFile;
  /** Number of the block that it takes next. */
  readonly next: number;
}

interface HeldBlock extends Block {
  readonly file: PackageFile;
  readonly buffer: Buffer;
  users: number;
}

interface OpenReader extends Reader {
  readonly fd: number;
  next: number;
}

interface OpenFile {
  readonly blocks: Map<number, HeldBlock>;
  readonly readers: Set<Reader>;
}

export class Blocks {
  readonly #files = new Map<PackageFile, OpenFile>();
  readonly #budget = new CheckBudget();
  /** Used last come first: they are still in the cache of a processor. */
  #free: Buffer[] = [];
  #made = 0;
  /** Oldest first. */
  readonly #kept = new Set<HeldBlock>();
  #waiting: (() => void)[] = [];

  /** `fd`: the file, open as long as the reader is. */
  open(file: PackageFile, fd: number, next: number): Reader {
    const reader: OpenReader = { file, fd, next };
    const { readers } = this.#files.get(file) ?? this.#opened(file);
    readers.add(reader);
    return reader;
  }

  /** Every block that it took was released. */
  close(reader: Reader): void {
    const { readers } = this.#of(reader.file);
    readers.delete(reader);
    for (const block of this.#kept)
      if (block.file === reader.file && !isAwaited(block, readers)) this.#drop(block);
    if (readers.size === 0) this.#files.delete(reader.file);
    this.#wake();
  }

  /** The reader's next block; waits for its turn where all memory is in use. */
  async take(reader: Reader): Promise<Block> {
    for (;;) {
      const block = this.#next(reader as OpenReader, MOST);
      if (block !== undefined) return block;
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  /** The same ahead of its time; undefined where others may need the memory more. */
  takeAhead(reader: Reader): Block | undefined {
    return this.#next(reader as OpenReader, PLENTY);
  }

  release(given: Block): void {
    const block = given as HeldBlock;
    block.users -= 1;
    if (block.users > 0) return;
    const { blocks, readers } = this.#of(block.file);
    if (blocks.get(block.index) === block && isAwaited(block, readers)) {
      this.#kept.add(block);
      const [oldest] = this.#kept;
      if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#drop(oldest);
    } else this.#drop(block);
    this.#wake();
  }

  /** Frees unused memory. */
  shrink(): void {
    this.#made -= this.#free.length;
    this.#free = [];
  }

  #opened(file: PackageFile): OpenFile {
    const opened: OpenFile = { blocks: new Map(), readers: new Set() };
    this.#files.set(file, opened);
    return opened;
  }

  #of(file: PackageFile): OpenFile {
    const open = this.#files.get(file);
    if (open === undefined) throw new Error('the file has no reader');
    return open;
  }

  #next(reader: OpenReader, most: number): Block | undefined {
    const { file, fd, next: index } = reader;
    const { blocks } = this.#of(file);
    let block = blocks.get(index);
    if (block === undefined) {
      const buffer = this.#buffer(most);
      if (buffer === undefined) return undefined;
      block = {
        index,
        file,
        buffer,
        bytes: readBlocks(file, { fd, first: index, count: 1, buffer, budget: this.#budget }),
        users: 0,
      };
      const made = block;
      blocks.set(index, made);
      // Answers that wait for the block get the error; later ones read it anew.
      made.bytes.catch(() => {
        if (blocks.get(index) === made) blocks.delete(index);
      });
    }
    this.#kept.delete(block);
    block.users += 1;
    reader.next += 1;
    return block;
  }

  #buffer(most: number): Buffer | undefined {
    if (this.#made - this.#free.length - this.#kept.size >= most) return undefined;
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#made < MOST) {
      this.#made += 1;
      return Buffer.allocUnsafeSlow(BLOCK);
    }
    const [oldest] = this.#kept;
    if (oldest !== undefined) this.#drop(oldest);
    return this.#free.pop();
  }

  /** Drops a block that no answer uses. */
  #drop(block: HeldBlock): void {
    this.#kept.delete(block);
    const blocks = this.#files.get(block.file)?.blocks;
    if (blocks?.get(block.index) === block) blocks.delete(block.index);
    this.#free.push(block.buffer);
  }

  #wake(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

/** Returns whether a reader will soon reach the block. */
function isAwaited({ index }: Block, readers: ReadonlySet<Reader>): boolean {
  for (const { next } of readers) if (next <= index && index - next < MOST_KEPT) return true;
  return false;
}

// Prints the stored lines of a session as they are recorded, at the speed of the reader.
import type { Writable } from 'node:stream';
import type { SessionId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import { storedLine } from '@roost/protocol/stored-line';
import { write } from '../output/print.ts';
import { openReader, readStream } from '../record/reader.ts';

type LinePrinter = AsyncDisposable & {
	/** More was recorded. */
	more(): void;
	/** Resolves when everything recorded so far is written. */
	finish(): Promise<Result<void>>;
};

/** Without `wanted` every line is written unparsed. */
export async function openLinePrinter(
	id: SessionId,
	after: number,
	out: Writable,
	wanted?: (kind: string) => boolean,
): Promise<Result<LinePrinter>> {
	const opened = await openReader();
	if (!opened.ok) return opened;
	const record = opened.value;
	let last = after;
	let isAsked = false;
	let hasReader = true;
	out.once('error', () => {
		hasReader = false;
	});
	let printing: Promise<Result<void>> = Promise.resolve(ok(undefined));

	async function print(): Promise<Result<void>> {
		isAsked = false;
		for await (const page of readStream(record, id, last)) {
			if (!page.ok) return page;
			const lines = page.value.map(({ line }) => line).filter((line) => wanted === undefined || wanted(kindOf(line)));
			if (!hasReader || !(await hand(lines))) break;
			last = page.value.at(-1)?.offset ?? last;
		}
		return ok(undefined);
	}

	async function hand(lines: readonly string[]): Promise<boolean> {
		try {
			await write(out, lines);
			return true;
		} catch {
			// The reader closed the stream.
			return false;
		}
	}

	function more(): void {
		if (isAsked) return;
		isAsked = true;
		printing = printing.then((before) => (before.ok ? print() : before));
	}

	return ok({
		more,
		async finish() {
			more();
			return await printing;
		},
		[Symbol.asyncDispose]: () => record[Symbol.asyncDispose](),
	});
}

function kindOf(line: string): string {
	return storedLine.parse(JSON.parse(line)).event.kind;
}

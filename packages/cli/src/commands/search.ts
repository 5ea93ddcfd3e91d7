// roost search: full-text search over every session.
import { age } from '@roost/core/display/age';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { AppError } from '@roost/protocol/app-error';
import { unwrap } from '../output/exit.ts';
import { print } from '../output/print.ts';
import { toTable } from '../output/table.ts';
import { openReader } from '../record/reader.ts';

export async function search(words: readonly string[], options: { limit: string; json?: boolean }): Promise<void> {
	const limit = Number(options.limit);
	if (!Number.isSafeInteger(limit) || limit < 1) {
		throw new AppError('usage', `--limit takes a whole number from 1; it was "${options.limit}".`);
	}
	await using record = unwrap(await openReader());
	const { hits, note } = unwrap(await record.search({ words: words.join(' '), limit }));
	const now = Date.now();
	const isMany = hits.some(({ runner }) => runner !== undefined);
	const rows = hits.map((hit) => [
		hit.sessionId,
		String(hit.offset),
		...(isMany ? [sanitiseLine(hit.runner?.name ?? '-')] : []),
		age(hit.ts, now),
		hit.kind,
		hit.excerpt,
	]);
	const none = `No results for "${sanitiseLine(words.join(' '))}".`;
	const header = ['SESSION', 'OFFSET', ...(isMany ? ['RUNNER'] : []), 'AGE', 'KIND', 'TEXT'];
	await print(options, hits, [rows.length === 0 ? none : toTable(header, rows)]);
	if (note !== undefined) process.stderr.write(`${sanitiseLine(note)}\n`);
}

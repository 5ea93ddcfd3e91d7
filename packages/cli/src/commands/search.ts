// roost search: full-text search over every session.
import { age } from '@roost/core/display/age';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { AppError } from '@roost/protocol/app-error';
import { unwrap } from '../output/exit.ts';
import { print } from '../output/print.ts';
import { toTable } from '../output/table.ts';
import { loadRecord, loadSearch } from '../runner/open-runner.ts';

export async function search(words: readonly string[], options: { limit: string; json?: boolean }): Promise<void> {
	const limit = Number(options.limit);
	if (!Number.isSafeInteger(limit) || limit < 1) {
		throw new AppError('usage', `--limit takes a whole number from 1; it was "${options.limit}".`);
	}
	const { openRecord } = await loadRecord();
	const record = unwrap(openRecord(process.env));
	await using store = record;
	const { findHits } = await loadSearch();
	const hits = unwrap(findHits(store, { words: words.join(' '), limit }));
	const now = Date.now();
	const rows = hits.map((hit) => [hit.sessionId, String(hit.offset), age(hit.ts, now), hit.kind, hit.excerpt]);
	const none = `No results for "${sanitiseLine(words.join(' '))}".`;
	await print(options, hits, [rows.length === 0 ? none : toTable(['SESSION', 'OFFSET', 'AGE', 'KIND', 'TEXT'], rows)]);
}

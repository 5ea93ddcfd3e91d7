// roost search: words in every session.

import { age } from '@roost/core/display/age';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { AppError } from '@roost/protocol/app-error';
import { fail } from '../output/exit.ts';
import { toTable } from '../output/table.ts';
import { loadRecord, loadSearch } from '../runner/open-runner.ts';

export async function search(words: readonly string[], options: { limit: string; json?: boolean }): Promise<void> {
	const limit = Number(options.limit);
	if (!Number.isSafeInteger(limit) || limit < 1) {
		return fail(new AppError('usage', `--limit takes a whole number from 1; it was "${options.limit}".`), options);
	}
	const { openRecord } = await loadRecord();
	const record = openRecord(process.env);
	if (!record.ok) return fail(record.error, options);
	await using store = record.value;
	const { findHits } = await loadSearch();
	const hits = findHits(store, { words: words.join(' '), limit });
	if (!hits.ok) return fail(hits.error, options);
	if (options.json) {
		process.stdout.write(`${JSON.stringify(hits.value)}\n`);
		return;
	}
	if (hits.value.length === 0) {
		process.stdout.write(`Nothing found for "${sanitiseLine(words.join(' '))}".\n`);
		return;
	}
	const now = Date.now();
	const rows = hits.value.map((hit) => [hit.sessionId, String(hit.offset), age(hit.ts, now), hit.kind, hit.excerpt]);
	process.stdout.write(`${toTable(['SESSION', 'OFFSET', 'AGE', 'KIND', 'TEXT'], rows)}\n`);
}

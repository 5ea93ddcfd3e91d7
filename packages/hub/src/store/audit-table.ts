// The audit log of the hub: one hash chain, whose head row every writer locks.
import { canonicalJson } from '@roost/core/rules/canonical-json';
import { genesisHash, nextHash } from '@roost/store/hash-chain';
import { queryFault } from '@roost/store/refusals';
import { numberOf, type Row, textOf } from '@roost/store/row-values';
import type { AuditEntry, HubAudit } from './hub-store.ts';
import { type Sql, type SqlStatements, settle } from './sql.ts';

const BEGINNING = genesisHash('hub audit');
const PAGE = 1_000;

export function createHubAudit(sql: Sql): HubAudit {
	const list = async (after: number, limit: number) =>
		(await sql.all('SELECT n, at, who, what, hash FROM audit WHERE n > $1 ORDER BY n LIMIT $2', [after, limit])).map(toEntry);
	return {
		append: (entry) => settle(() => sql.transaction((inside) => append(inside, entry))),
		list: async ({ after, limit }) => queryFault({ after, limit }) ?? (await settle(() => list(after, limit))),
		verify: () => settle(() => verify(sql, list)),
	};
}

async function append(sql: SqlStatements, entry: Omit<AuditEntry, 'n' | 'hash'>): Promise<AuditEntry> {
	await sql.run('INSERT INTO audit_head (one, n, hash) VALUES (1, 0, $1) ON CONFLICT DO NOTHING', [BEGINNING]);
	const [head = {}] = await sql.all('UPDATE audit_head SET n = n + 1 RETURNING n, hash');
	const n = numberOf(head, 'n');
	const hash = entryHash(textOf(head, 'hash'), { ...entry, n });
	const { at, who, what } = entry;
	await sql.run('INSERT INTO audit (n, at, who, what, hash) VALUES ($1, $2, $3, $4, $5)', [n, at, who, what, hash]);
	await sql.run('UPDATE audit_head SET hash = $1', [hash]);
	return { n, at, who, what, hash };
}

async function verify(sql: Sql, list: (after: number, limit: number) => Promise<AuditEntry[]>): Promise<string[]> {
	// Read first: entries that are added meanwhile come after it.
	const [head = { n: 0, hash: BEGINNING }] = await sql.all('SELECT n, hash FROM audit_head');
	const last = numberOf(head, 'n');
	const problems: string[] = [];
	let hash = BEGINNING;
	let n = 0;
	while (n < last) {
		const page = await list(n, Math.min(PAGE, last - n));
		for (const entry of page) {
			if (entry.n !== n + 1) problems.push(`Audit entries ${n + 1} to ${entry.n - 1} are missing.`);
			else if (entry.hash !== entryHash(hash, entry)) problems.push(`Audit entry ${entry.n} was changed.`);
			({ n, hash } = entry);
		}
		if (page.length === 0) break;
	}
	if (n < last) problems.push(`Audit entries ${n + 1} to ${last} are missing.`);
	else if (n === last && hash !== textOf(head, 'hash')) problems.push('The last audit entry was replaced.');
	return problems;
}

function entryHash(before: string, { n, at, who, what }: Omit<AuditEntry, 'hash'>): string {
	return nextHash(before, canonicalJson({ n, at, who, what }));
}

function toEntry(row: Row): AuditEntry {
	return {
		n: numberOf(row, 'n'),
		at: numberOf(row, 'at'),
		who: textOf(row, 'who'),
		what: textOf(row, 'what'),
		hash: textOf(row, 'hash'),
	};
}

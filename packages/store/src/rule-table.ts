// The rules in force, written with the log so that a rule and the fact of its adding are one thing.
import type { DatabaseSync } from 'node:sqlite';
import type { RuleId } from '@roost/protocol/ids';
import { type Rule, rule } from '@roost/protocol/rule';
import type { PreparedAppend } from './prepared-append.ts';
import { parsedOf, textOf } from './row-values.ts';

export type RuleTable = {
	/** To be called inside the transaction that appends, after the comparison with what is kept. */
	change(changes: PreparedAppend['rules']): void;
	kept(id: RuleId): string | undefined;
	/** Oldest first. */
	all(): Rule[];
};

export function createRuleTable(db: DatabaseSync): RuleTable {
	const insert = db.prepare('INSERT INTO rules (id, created_at, rule) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING');
	const remove = db.prepare('DELETE FROM rules WHERE id = ?');
	const select = db.prepare('SELECT rule FROM rules WHERE id = ?');
	const selectAll = db.prepare('SELECT rule FROM rules ORDER BY created_at, rule_no');

	return {
		change(changes) {
			for (const id of changes.remove) remove.run(id);
			for (const { row, text } of changes.add) insert.run(row.id, row.createdAt, text);
		},
		kept(id) {
			const found = select.get(id);
			return found === undefined ? undefined : textOf(found, 'rule');
		},
		all: () => selectAll.all().map((row) => parsedOf(row, 'rule', rule)),
	};
}

// The rules in force, written in the transaction of their facts, and checked against the facts in the runners' own streams.
import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { createRedactor } from '@roost/core/redaction/redact';
import { checkRules, foldRules, type RuleCheck } from '@roost/core/rules/rule-facts';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { RuleId } from '@roost/protocol/ids';
import { type Rule, rule } from '@roost/protocol/rule';
import { genesisHash, nextHash } from './hash-chain.ts';
import { namesPath } from './name-projects.ts';
import type { PreparedAppend } from './prepared-append.ts';
import { toProjectId } from './project-id.ts';
import { allRows, lineOf, numberOf, parsedOf, textOf } from './row-values.ts';

export type RuleTable = ReturnType<typeof createRuleTable>;

export function createRuleTable(db: DatabaseSync) {
	const insert = db.prepare('INSERT INTO rules (id, created_at, rule) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING');
	const remove = db.prepare('DELETE FROM rules WHERE id = ?');
	const select = db.prepare('SELECT rule FROM rules WHERE id = ?');
	const selectAll = db.prepare('SELECT rule FROM rules ORDER BY created_at, rule_no');

	return {
		/** To be called inside the transaction that appends, after the check for conflicts. */
		change(changes: PreparedAppend['rules']): void {
			for (const id of changes.remove) remove.run(id);
			for (const { row, text } of changes.add) insert.run(row.id, row.createdAt, text);
		},
		kept(id: RuleId): string | undefined {
			const found = select.get(id);
			return found === undefined ? undefined : textOf(found, 'rule');
		},
		/** Oldest first. */
		all: () => selectAll.all().map((row) => parsedOf(row, 'rule', rule)),
	};
}

/** Where a chain is broken, no allow rule is trusted: only deny and ask rules remain, from facts and rows alike. */
export function readCheckedRules(db: DatabaseSync, rows: readonly Rule[]): RuleCheck {
	const redactor = createRedactor((text) => hash('sha256', text));
	const paths = new Map(rows.map(({ id, projectPath }) => [id, projectPath]));
	/** Facts from before schema version 8 name a project by its path, which was redacted; the row has the original path. */
	const toCurrent = (fact: Rule, runner: string): Rule => {
		if (!namesPath(fact)) return fact;
		const kept = paths.get(fact.id);
		const path = kept !== undefined && redactor.redact(kept).value === fact.scopeId ? kept : fact.scopeId;
		return { ...fact, scopeId: toProjectId(runner, path), projectPath: fact.scopeId };
	};
	const { events, broken } = readRuleFacts(db, toCurrent);
	const checked = checkRules(rows, foldRules(events), (rule) => redactor.redact(rule).value);
	if (broken.length === 0) return checked;
	const explained = new Set(checked.rules.map(({ id }) => id));
	const kept = [...checked.rules, ...rows.filter(({ id }) => !explained.has(id))].filter(({ decision }) => decision !== 'allow');
	return { rules: kept, problems: [...broken, ...checked.problems] };
}

/** Rules are recorded in the runners' own streams. */
const RUNNER_STREAMS = "SELECT stream_no, stream FROM streams WHERE stream LIKE 'runner:%' ORDER BY stream_no";

function readRuleFacts(
	db: DatabaseSync,
	toCurrent: (fact: Rule, runner: string) => Rule,
): { events: FeedEvent[]; broken: string[] } {
	const events: FeedEvent[] = [];
	const broken: string[] = [];
	const rows = db.prepare('SELECT hash, line FROM events WHERE stream_no = ? ORDER BY offset');
	for (const stream of allRows(db, RUNNER_STREAMS)) {
		const name = textOf(stream, 'stream');
		let head = genesisHash(name);
		let intact = true;
		for (const row of rows.iterate(numberOf(stream, 'stream_no'))) {
			const line = textOf(row, 'line');
			head = nextHash(head, line);
			intact &&= head === textOf(row, 'hash');
			head = textOf(row, 'hash');
			const stored = line.includes('"kind":"rule.') ? lineOf(row) : undefined;
			if (stored?.event.kind === 'rule.added') {
				const { data, ...rest } = stored.event;
				events.push({ ...rest, data: { rule: toCurrent(data.rule, stored.runnerId) } });
			} else if (stored !== undefined) events.push(stored.event);
		}
		if (!intact) broken.push(`Stream ${name}: it holds the rules and was changed. No allow rule is applied.`);
	}
	return { events, broken };
}

// The rules as the runners' own streams tell them, with the chains of those streams checked on the way.
import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { createRedactor } from '@roost/core/redaction/redact';
import { checkRules, foldRules, type RuleCheck } from '@roost/core/rules/rule-facts';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { Rule } from '@roost/protocol/rule';
import { genesisHash, nextHash } from './hash-chain.ts';
import { namesPath } from './name-projects.ts';
import { parseLine } from './parse-line.ts';
import { toProjectId } from './project-id.ts';
import { numberOf, textOf } from './row-values.ts';

/** Where a chain is broken, no rule can be trusted to allow anything: what denies and asks stays, from facts and rows alike. */
export function readCheckedRules(db: DatabaseSync, rows: readonly Rule[]): RuleCheck {
	const redactor = createRedactor((text) => hash('sha256', text));
	const paths = new Map(rows.map(({ id, projectPath }) => [id, projectPath]));
	/** Facts of before schema version 8 name a project by its path, which was redacted; the row has the path as it is. */
	const toCurrent = (fact: Rule, runner: string): Rule => {
		if (!namesPath(fact)) return fact;
		const kept = paths.get(fact.id);
		const path = kept !== undefined && redactor.redact(kept).value === fact.scopeId ? kept : fact.scopeId;
		return { ...fact, scopeId: toProjectId(runner, path), projectPath: fact.scopeId };
	};
	const { events, broken } = readRuleFacts(db, toCurrent);
	const checked = checkRules(rows, foldRules(events), (rule) => redactor.redact(rule).value);
	if (broken.length === 0) return checked;
	const told = new Set(checked.rules.map(({ id }) => id));
	const kept = [...checked.rules, ...rows.filter(({ id }) => !told.has(id))].filter(({ decision }) => decision !== 'allow');
	return { rules: kept, problems: [...broken, ...checked.problems] };
}

/** Every runner has one stream for what it has to say of itself. */
const RUNNER_STREAMS = "stream LIKE 'runner:%'";

function readRuleFacts(
	db: DatabaseSync,
	toCurrent: (fact: Rule, runner: string) => Rule,
): { events: FeedEvent[]; broken: string[] } {
	const events: FeedEvent[] = [];
	const broken: string[] = [];
	const rows = db.prepare('SELECT hash, line FROM events WHERE stream_no = ? ORDER BY offset');
	for (const stream of db.prepare(`SELECT stream_no, stream FROM streams WHERE ${RUNNER_STREAMS} ORDER BY stream_no`).all()) {
		const name = textOf(stream, 'stream');
		let head = genesisHash(name);
		let intact = true;
		for (const row of rows.iterate(numberOf(stream, 'stream_no'))) {
			const line = textOf(row, 'line');
			head = nextHash(head, line);
			intact &&= head === textOf(row, 'hash');
			head = textOf(row, 'hash');
			const stored = line.includes('"kind":"rule.') ? parseLine(line) : undefined;
			if (stored?.event.kind === 'rule.added') {
				const { data, ...rest } = stored.event;
				events.push({ ...rest, data: { rule: toCurrent(data.rule, stored.runnerId) } });
			} else if (stored !== undefined) events.push(stored.event);
		}
		if (!intact) broken.push(`Stream ${name}: it was changed, and it holds the rules. No rule that allows is applied.`);
	}
	return { events, broken };
}

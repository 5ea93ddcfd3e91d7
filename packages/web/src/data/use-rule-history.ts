// The past calls that a rule would have matched, read when its author pauses.
import type { RuleBody, RuleHistory } from '@roost/protocol/api/rules';
import { useEffect, useRef, useState } from 'react';
import { useConnected } from './use-connected.ts';
import { type Read, useRead } from './use-read.ts';

const PAUSE_MS = 300;
const NOTHING = { ok: true, value: undefined } as const;

/** Without a rule nothing is read. */
export function useRuleHistory(rule: RuleBody | undefined): Read<RuleHistory | undefined> {
	const { api } = useConnected();
	const key = rule === undefined ? '' : JSON.stringify(rule);
	const settled = usePaused(key);
	const latest = useRef(rule);
	latest.current = rule;
	const read = useRead<RuleHistory | undefined>(settled, async () =>
		latest.current === undefined ? NOTHING : await api.rules.history({ rule: latest.current }),
	);
	return settled === key ? read : { ...read, value: undefined, problem: undefined };
}

/** The value, once it has not changed for a moment. */
function usePaused(value: string): string {
	const [settled, settle] = useState(value);
	useEffect(() => {
		const timer = setTimeout(() => settle(value), PAUSE_MS);
		return () => clearTimeout(timer);
	}, [value]);
	return settled;
}

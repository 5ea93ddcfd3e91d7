// The stored asks: each is opened with a nonce and a hash of the request, and closed once with who decided.
import { canonicalJson } from '@roost/core/rules/canonical-json';
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { AskChange } from '@roost/core/session/step';
import type { AskRow, AskVerdict } from '@roost/protocol/ask';
import type { AskId } from '@roost/protocol/ids';

export type AskBook = {
	/** The row after this change; shown only once it is saved. */
	apply(change: AskChange): AskRow;
	/** They are on disk, or kept until the disk takes them. An ask that was seen must still be known to the next runner. */
	show(saved: readonly AskRow[]): void;
	find(id: AskId): AskRow | undefined;
	/** Loads an ask that an earlier process opened. */
	recall(id: AskId): void;
	/** Pending ones, oldest first; with `all`, the recently decided too. */
	list(query: { all?: boolean }): AskRow[];
};

/** How many decided asks are kept in memory; older ones are in the store. */
const MAX_DECIDED = 1_000;

export function createAskBook(deps: {
	newNonce: () => string;
	hash: (text: string) => string;
	/** A row of an earlier process. */
	load: (id: AskId) => AskRow | undefined;
}): AskBook {
	/** After the last change. */
	const rows = new Map<AskId, AskRow>();
	const shown = new Map<AskId, AskRow>();

	/** The hash covers the original request; the row shows it without secrets. */
	function open({ ask, asked = ask }: AskChange): AskRow {
		const inputHash = deps.hash(canonicalJson({ tool: asked.tool, input: asked.input }));
		return { ...ask, state: 'pending', nonce: deps.newNonce(), inputHash };
	}

	function close(change: AskChange): AskRow {
		const row = rows.get(change.ask.id) ?? deps.load(change.ask.id) ?? open(change);
		const { decision } = change;
		return {
			...row,
			state: change.state,
			decidedAt: change.at,
			decidedBy: decision?.principal ?? decision?.source,
			verdict: decision && messagesIn(decision),
		};
	}

	function forgetOldest(): void {
		const decided = [...rows.values()].filter((row) => row.state !== 'pending');
		for (const { id } of decided.slice(0, Math.max(0, decided.length - MAX_DECIDED))) {
			rows.delete(id);
			shown.delete(id);
		}
	}

	return {
		apply(change) {
			const row = change.state === 'pending' ? open(change) : close(change);
			rows.set(row.id, row);
			if (rows.size > 2 * MAX_DECIDED) forgetOldest();
			return row;
		},
		show(saved) {
			for (const row of saved) shown.set(row.id, row);
		},
		find: (id) => shown.get(id) ?? deps.load(id),
		recall(id) {
			const row = deps.load(id);
			if (!row || rows.has(id)) return;
			rows.set(id, row);
			shown.set(id, row);
		},
		list: ({ all }) => [...shown.values()].filter((row) => all || row.state === 'pending'),
	};
}

/** Undefined without an answer; a denial by Roost itself is not one. */
function messagesIn({ source, verdict }: RuntimeDecision): AskVerdict | undefined {
	const isDecided = source === 'user' || source === 'rule';
	return isDecided && verdict.type !== 'none' && verdict.type !== 'ask' ? verdict : undefined;
}

// What a session is governed by at this moment; it comes in with every step, as data.
import type { Rule } from '@roost/protocol/rule';
import type { ControllerContext } from '../controller/controller.ts';
import type { Redactor } from '../redaction/redact.ts';
import type { RuleScopeIds } from '../rules/match.ts';
import type { GateMode } from '../runtime/gate-mode.ts';
import type { RuntimeCapabilities } from '../runtime/runtime.ts';

export type SessionPolicy = {
	rules: readonly Rule[];
	/** Denies that no rule can lift. */
	builtinDenies: readonly Rule[];
	ownFiles?: ControllerContext['ownFiles'];
	scope: RuleScopeIds;
	gate: GateMode;
	capabilities: Pick<RuntimeCapabilities, 'agent' | 'questionHook' | 'takesPrompts'>;
	/** How long an ask may wait; 0 where nobody could answer it. */
	askTimeoutMs: number;
	/** What is kept or shown passes through it first. */
	redactor: Redactor;
};

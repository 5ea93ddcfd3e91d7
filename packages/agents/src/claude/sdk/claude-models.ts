// The models that Claude offers, and which other names can be one: an id of Anthropic's or of a cloud's.
import type { ModelChoice } from '@roost/core/runtime/connection';

type Offered = { value: string; resolvedModel?: string | undefined };

export function toModelChoice(offered: readonly Offered[], env: Readonly<Record<string, string>>): ModelChoice | null {
	const named = Object.entries(env).flatMap(([name, value]) => (NAMES_MODEL.test(name) ? [value] : []));
	// Claude also lists whatever name it was started with, as its own meaning.
	const own = offered.filter(({ value, resolvedModel }) => value !== resolvedModel || named.includes(value));
	if (own.length === 0) return null;
	const known = new Set([...own.flatMap(({ value, resolvedModel = value }) => [value, resolvedModel]), ...named]);
	return {
		names: own.map(({ value }) => value),
		has: (name) => known.has(name) || known.has(name.replace(LONG_CONTEXT, '')) || FULL_ID.test(name),
	};
}

const NAMES_MODEL = /^ANTHROPIC_(\w+_)?MODEL(_OPTION)?$/;
const LONG_CONTEXT = /\[1m\]$/;
/** `claude-opus-5-5`, `us.anthropic.claude-opus-5-5-v1:0`, `vendor/model`, `opusplan`: Claude lists only the newest. */
const FULL_ID = /^claude-|[.:/@]|^opusplan$/;

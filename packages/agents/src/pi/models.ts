// Model names for Pi: aliases are expanded, names with a provider stay.
import type { PiConfig } from '../kind/agent-kind.ts';

export const PI_MODELS: Readonly<Record<string, string>> = {
	opus: 'claude-opus-5-5',
	sonnet: 'claude-sonnet-5',
	haiku: 'claude-haiku-4-5',
};

/** Other names belong to the configured provider; without one Pi selects it. */
export function expandModel(name: string, { provider, modelMap = {} }: PiConfig = {}): string {
	const mapped = Object.hasOwn(modelMap, name) ? modelMap[name] : undefined;
	const alias = mapped === undefined && Object.hasOwn(PI_MODELS, name) ? PI_MODELS[name] : undefined;
	const meant = mapped ?? alias ?? name;
	if (meant.includes('/')) return meant;
	const owner = provider ?? (alias === undefined ? undefined : 'anthropic');
	return owner === undefined ? meant : `${owner}/${meant}`;
}

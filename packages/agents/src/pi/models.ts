// What a name of a model means to Pi: aliases are expanded, names with a provider pass as they are.
import { aliasFor } from '../model-aliases.ts';
import type { PiConfig } from '../registry.ts';

/** Any other name goes to the configured provider; without one Pi itself looks for whose it is. */
export function expandModel(name: string, { provider, modelMap = {} }: PiConfig = {}): string {
	const mapped = Object.hasOwn(modelMap, name) ? modelMap[name] : undefined;
	const alias = mapped === undefined ? aliasFor('pi', name) : undefined;
	const meant = mapped ?? alias ?? name;
	if (meant.includes('/')) return meant;
	const owner = provider ?? (alias === undefined ? undefined : 'anthropic');
	return owner === undefined ? meant : `${owner}/${meant}`;
}

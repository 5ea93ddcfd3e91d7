// The same graph as Biome rules, so that editors report violations; a test compares it with biome.json.
import { DYNAMIC_IMPORTS, PACKAGES } from './graph.ts';

export type BiomeOverride = {
	includes: string[];
	linter: {
		rules: { style: { noRestrictedImports: { level: 'error'; options: { patterns: { group: string[]; message: string }[] } } } };
	};
};

export function toBiomeOverrides(): BiomeOverride[] {
	return Object.entries(PACKAGES).flatMap(([name, allowed]) => {
		const refused = Object.keys(PACKAGES).filter((other) => other !== 'testkit' && !allowed.roost.includes(other));
		const doors = Object.keys(DYNAMIC_IMPORTS).filter((path) => path.startsWith(`packages/${name}/`));
		if (name === 'testkit' || refused.length === 0) return [];
		return [override(name, refused, doors)];
	});
}

function override(name: string, refused: string[], doors: string[]): BiomeOverride {
	const group = refused.map((other) => `@roost/${other}/**`);
	const patterns = [{ group, message: `${name} may not import this: see boundary/graph.ts.` }];
	return {
		includes: [`packages/${name}/src/**`, ...doors.map((path) => `!${path}`)],
		linter: { rules: { style: { noRestrictedImports: { level: 'error', options: { patterns } } } } },
	};
}

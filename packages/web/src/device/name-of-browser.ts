// A name for this browser in the list of devices: "Firefox on Linux".

export function nameOfBrowser(userAgent: string): string {
	const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(userAgent)?.[1] ?? 'Browser';
	const system = /Android|iPhone|iPad|Windows|Mac OS X|Linux/.exec(userAgent)?.[0];
	const name = OTHER_NAMES[browser] ?? browser;
	return system ? `${name} on ${system}` : name;
}

const OTHER_NAMES: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' };

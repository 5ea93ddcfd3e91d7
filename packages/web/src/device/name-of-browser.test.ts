import { expect, it } from 'vitest';
import { nameOfBrowser } from './name-of-browser.ts';

it.each([
	['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36', 'Chrome on Linux'],
	['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1', 'Safari on iPhone'],
	['Mozilla/5.0 (Windows NT 10.0) Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0', 'Chrome on Windows'],
	['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
	['', 'Browser'],
])('names %s', (userAgent, name) => {
	expect(nameOfBrowser(userAgent)).toBe(name);
});

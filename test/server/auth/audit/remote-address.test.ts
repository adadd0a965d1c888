import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf, plainAddress } from '../../../../server/auth/audit/remote-address.ts';

test('an address is the same whichever transport tells it', () => {
  assert.equal(plainAddress('10.0.0.7'), '10.0.0.7');
  assert.equal(plainAddress('::ffff:10.0.0.7'), '10.0.0.7');
  assert.equal(plainAddress('0000:0000:0000:0000:0000:ffff:0a00:0007'), '10.0.0.7');
  assert.equal(plainAddress('2001:0db8:0000:0000:0000:0000:0000:0001'), '2001:db8::1');
  assert.equal(plainAddress('2001:DB8::1'), '2001:db8::1');
  assert.equal(plainAddress('0000:0000:0000:0000:0000:0000:0000:0001'), '::1');
});

test('what is no address is left as it is', () => {
  for (const text of ['', 'fe80::1%eth0', 'x']) assert.equal(plainAddress(text), text);
});

test('the addresses of one IPv6 network are counted as one, those of IPv4 one by one', () => {
  assert.equal(networkOf('10.0.0.7'), '10.0.0.7');
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  assert.equal(networkOf('2001:db8:1:2::9'), '2001:db8:1:2::/64');
  assert.equal(networkOf('::1'), '0:0:0:0::/64');
  assert.notEqual(networkOf('2001:db8:1:3::9'), networkOf('2001:db8:1:2::9'));
});

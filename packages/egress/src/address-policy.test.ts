import assert from "node:assert/strict";
import { test } from "node:test";
import { describeRefusedAddress } from "./address-policy.ts";

const refused = {
  "the unspecified address": ["0.0.0.0", "0.1.2.3", "::"],
  "a loopback address": ["127.0.0.1", "127.255.255.254", "::1"],
  "a private address": [
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "fc00::1",
    "fd00:ec2::254",
    "fec0::1",
  ],
  "a carrier-grade NAT address": ["100.64.0.1", "100.100.100.200", "100.127.255.255"],
  "a link-local or metadata address": ["169.254.169.254", "169.254.0.1"],
  "a metadata address": ["168.63.129.16", "192.0.0.192"],
  "a reserved address": ["192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.9", "240.0.0.1", "255.255.255.255"],
  "a multicast address": ["224.0.0.1", "239.255.255.255", "ff02::1"],
  "an IPv4 address in IPv6 form": [
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::7f00:1",
    "::8.8.8.8",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "::ffff:0:7f00:1",
  ],
  "a 6to4 tunnel address": ["2002:7f00:1::"],
  "a Teredo tunnel address": ["2001:0:1234::1"],
  "a link-local address": ["fe80::1", "fe80::1%eth0", "febf::1"],
};

for (const [description, addresses] of Object.entries(refused)) {
  test(`refuses ${description}`, () => {
    for (const address of addresses) assert.equal(describeRefusedAddress(address), description, address);
  });
}

test("refuses everything in IPv6 outside global unicast", () => {
  for (const address of ["2001:db8::1", "3fff::1", "100::1", "4000::1", "5f00::1", "2001:10::1"]) {
    assert.equal(describeRefusedAddress(address), "a reserved address", address);
  }
});

test("refuses what is no address", () => {
  for (const text of ["", "example.com", "127.1", "0x7f000001", "1.2.3.4.5", "[::1]"]) {
    assert.equal(describeRefusedAddress(text), "no IP address", text);
  }
});

test("passes public addresses, also at the edges of refused ranges", () => {
  const addresses = [
    ...["8.8.8.8", "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255"],
    ...[
      "128.0.0.0",
      "169.253.255.255",
      "169.255.0.0",
      "172.15.255.255",
      "172.32.0.0",
      "192.167.255.255",
      "223.255.255.255",
    ],
    ...["2606:4700:4700::1111", "2a00:1450:4001::200e", "2001:4860:4860::8888", "2003::1"],
  ];
  for (const address of addresses) assert.equal(describeRefusedAddress(address), undefined, address);
});

#include "base/sha256.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64, LENGTH_AT = 56 };

/* First 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2). */
static const uint32_t round_constant[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t word, unsigned bits) {
    return (word >> bits) | (word << (32 - bits));
}

static void expand(const unsigned char block[BLOCK], uint32_t w[ROUNDS]) {
    for (size_t t = 0; t < 16; t++) {
        const unsigned char *b = block + 4 * t;
        w[t] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    }
    for (size_t t = 16; t < ROUNDS; t++) {
        uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ w[t - 2] >> 10;
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
}

static void compress(uint32_t hash[8], const unsigned char block[BLOCK]) {
    uint32_t w[ROUNDS];
    expand(block, w);
    uint32_t v[8];
    memcpy(v, hash, sizeof v);
    for (size_t t = 0; t < ROUNDS; t++) {
        uint32_t s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t t1 = v[7] + s1 + choice + round_constant[t] + w[t];
        uint32_t s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
        uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + s0 + majority;
    }
    for (size_t i = 0; i < 8; i++) {
        hash[i] += v[i];
    }
}

void taskfit_sha256_hex(const char *data, size_t len, char hex_out[TASKFIT_SHA256_HEX_SIZE]) {
    uint32_t hash[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned char block[BLOCK];
    size_t at = 0;
    for (; len - at >= BLOCK; at += BLOCK) {
        memcpy(block, data + at, BLOCK);
        compress(hash, block);
    }
    size_t rest = len - at;
    memset(block, 0, sizeof block);
    if (rest > 0) {
        memcpy(block, data + at, rest);
    }
    block[rest] = 0x80;
    if (rest >= LENGTH_AT) { /* no room for the length: it goes into a block of its own */
        compress(hash, block);
        memset(block, 0, sizeof block);
    }
    uint64_t bits = (uint64_t)len * 8;
    for (size_t i = 0; i < 8; i++) {
        block[LENGTH_AT + i] = (unsigned char)(bits >> (56 - 8 * i));
    }
    compress(hash, block);
    for (size_t i = 0; i + 1 < TASKFIT_SHA256_HEX_SIZE; i++) {
        hex_out[i] = "0123456789abcdef"[hash[i / 8] >> (28 - 4 * (i % 8)) & 15];
    }
    hex_out[TASKFIT_SHA256_HEX_SIZE - 1] = '\0';
}

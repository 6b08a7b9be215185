//! SHA-256 (FIPS 180-4). Certificates identify the text they were made from by it. No verdict depends on it.

/// Returns the digest of `text` as 64 hexadecimal digits.
pub fn sha256(text: impl AsRef<[u8]>) -> String {
    let (initial, rounds) = CONSTANTS;
    let mut message = text.as_ref().to_vec();
    let bits = (message.len() as u64).wrapping_mul(8);
    message.push(0x80);
    message.resize((message.len() + 8).next_multiple_of(64) - 8, 0);
    message.extend(bits.to_be_bytes());
    let mut state = initial;
    for chunk in message.chunks_exact(64) {
        let mut w = [0_u32; 64];
        for (word, bytes) in w.iter_mut().zip(chunk.chunks_exact(4)) {
            *word = bytes.iter().fold(0, |word, &byte| word << 8 | u32::from(byte));
        }
        for i in 16..64 {
            let (a, b) = (w[i - 15], w[i - 2]);
            let a = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
            let b = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
            w[i] = w[i - 16].wrapping_add(a).wrapping_add(w[i - 7]).wrapping_add(b);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
        for (word, round) in w.into_iter().zip(rounds) {
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = (e & f) ^ (!e & g);
            let t1 = h.wrapping_add(s1).wrapping_add(choice).wrapping_add(round).wrapping_add(word);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let majority = (a & b) ^ (a & c) ^ (b & c);
            (h, g, f, e) = (g, f, e, d.wrapping_add(t1));
            (d, c, b, a) = (c, b, a, t1.wrapping_add(s0).wrapping_add(majority));
        }
        for (word, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *word = word.wrapping_add(new);
        }
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

/// The first 32 bits of the fractions of the square roots of the first 8 primes, and of the cube roots of the
/// first 64.
const CONSTANTS: ([u32; 8], [u32; 64]) = constants();

const fn constants() -> ([u32; 8], [u32; 64]) {
    let (mut squares, mut cubes) = ([0; 8], [0; 64]);
    let (mut candidate, mut found) = (2, 0);
    while found < 64 {
        if is_prime(candidate) {
            if found < 8 {
                squares[found] = root(candidate << 64, 2);
            }
            cubes[found] = root(candidate << 96, 3);
            found += 1;
        }
        candidate += 1;
    }
    (squares, cubes)
}

const fn is_prime(n: u128) -> bool {
    let mut divisor = 2;
    while divisor * divisor <= n {
        if n.is_multiple_of(divisor) {
            return false;
        }
        divisor += 1;
    }
    true
}

/// Returns the lowest 32 bits of the integer root.
const fn root(of: u128, degree: u32) -> u32 {
    let (mut root, mut bit) = (0_u128, 40);
    while bit > 0 {
        bit -= 1;
        let candidate = root | 1 << bit;
        if let Some(power) = candidate.checked_pow(degree)
            && power <= of
        {
            root = candidate;
        }
    }
    root as u32
}

#[cfg(test)]
mod tests {
    use super::sha256;

    #[test]
    fn digests_of_the_standard() {
        let expected = [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
        ];
        for (text, digest) in expected {
            assert_eq!(sha256(text), digest);
        }
    }
}

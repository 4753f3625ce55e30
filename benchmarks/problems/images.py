"""MNIST and CIFAR-10 from the publishers' own files, checked before use.

The files are not part of the project. `DIR/mnist` holds the four gzipped idx files, `DIR/cifar10` the binary batches.
"""

from __future__ import annotations

import gzip
import hashlib
import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]

MNIST = {
    "train-images-idx3-ubyte.gz": "f68b3c2dcbeaaa9fbdd348bbdeb94873",
    "train-labels-idx1-ubyte.gz": "d53e105ee54ea40749a09fcbcd1e9432",
    "t10k-images-idx3-ubyte.gz": "9fb629c4189551a2d022fa330f9573f3",
    "t10k-labels-idx1-ubyte.gz": "ec29112dd5afa0611ce80d1b7f02629c",
}
CIFAR_RECORD, CIFAR_RECORDS = 1 + 3 * 32 * 32, 10_000
HOW = {
    "mnist": "the four gzipped idx files of MNIST (LeCun, Cortes & Burges), {names}, belong in DIR/mnist",
    "cifar10": "the binary version of CIFAR-10 (Krizhevsky 2009, cifar-10-binary.tar.gz) holds data_batch_1.bin to "
    "data_batch_5.bin and test_batch.bin, which belong in DIR/cifar10",
}


class DataError(SystemExit):
    """A data file that is missing or not what it should be, said in words."""


def mnist(folder: Path | None, checksums: dict[str, str] = MNIST) -> tuple[Bytes, Bytes, Bytes, Bytes]:
    """Training images (n, 784) and labels (n,), test images and labels."""
    names = list(checksums)
    parts = [idx(_file(folder, "mnist", name), checksums[name]) for name in names]
    for images, labels in (parts[:2], parts[2:]):
        if len(images) != len(labels):
            raise DataError(f"mnist: {len(images)} images but {len(labels)} labels; get the four files anew")
    train, train_labels, test, test_labels = parts
    return train.reshape(len(train), -1), train_labels, test.reshape(len(test), -1), test_labels


def idx(path: Path, md5: str) -> Bytes:
    """The array in a gzipped idx file of unsigned bytes."""
    packed = path.read_bytes()
    found = hashlib.md5(packed, usedforsecurity=False).hexdigest()
    if found != md5:
        raise DataError(f"{path}: expected MD5 {md5}, got {found}; the file is damaged or another one: get it anew")
    raw = gzip.decompress(packed)
    if len(raw) < 4 or raw[:3] != b"\0\0\x08":
        raise DataError(f"{path}: expected an idx file of unsigned bytes, whose first bytes are 0, 0, 8; get it anew")
    head = 4 + 4 * raw[3]
    shape = struct.unpack(f">{raw[3]}I", raw[4:head]) if len(raw) >= head else (-1,)
    if len(raw) - head != np.prod(shape):
        raise DataError(f"{path}: the header promises {shape}, the file has {len(raw) - head} bytes; get it anew")
    return np.frombuffer(raw, np.uint8, offset=head).reshape(shape)


def cifar10(folder: Path | None, records: int = CIFAR_RECORDS) -> tuple[Bytes, Bytes, Bytes, Bytes]:
    """Training images (n, 3, 32, 32) and labels of all batches there are, test images and labels."""
    test = cifar_batch(_file(folder, "cifar10", "test_batch.bin"), records)
    first = _file(folder, "cifar10", "data_batch_1.bin")
    paths = [first, *(p for i in range(2, 6) if (p := first.with_name(f"data_batch_{i}.bin")).exists())]
    batches = [cifar_batch(path, records) for path in paths]
    images, labels = (np.concatenate(parts) for parts in zip(*batches, strict=True))
    return images, labels, *test


def cifar_batch(path: Path, records: int) -> tuple[Bytes, Bytes]:
    raw = np.frombuffer(path.read_bytes(), np.uint8)
    if len(raw) != records * CIFAR_RECORD:
        raise DataError(f"{path}: expected {records * CIFAR_RECORD} bytes, got {len(raw)}; get the file anew")
    rows = raw.reshape(records, CIFAR_RECORD)
    if rows[:, 0].max() > 9:
        raise DataError(f"{path}: expected labels 0 to 9, got {rows[:, 0].max()}; get the binary version")
    return rows[:, 1:].reshape(-1, 3, 32, 32), rows[:, 0]


def _file(folder: Path | None, name: str, file: str) -> Path:
    how = HOW[name].format(names=", ".join(MNIST))
    if folder is None:
        raise DataError(f"{name}: expected --data DIR with the data, got none; {how}")
    path = folder / name / file
    if not path.is_file():
        raise DataError(f"{path}: no such file; {how}")
    return path

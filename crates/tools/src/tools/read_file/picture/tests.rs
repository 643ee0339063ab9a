//! Pictures made here.

use super::*;
use image::{GenericImageView, Rgba, RgbaImage};
use proptest::prelude::*;

fn of(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn noise(width: u32, height: u32) -> DynamicImage {
    let mut state = 1_u32;
    let picture = RgbImage::from_fn(width, height, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [red, green, blue, _] = state.to_be_bytes();
        image::Rgb([red, green, blue])
    });
    DynamicImage::ImageRgb8(picture)
}

/// What the model would see.
fn sent(outcome: &Outcome) -> (&Image, DynamicImage) {
    let image = &outcome.images[0];
    let bytes = STANDARD.decode(&image.base64).unwrap();
    let format = if image.mime == "image/png" { ImageFormat::Png } else { ImageFormat::Jpeg };
    let picture = image::load_from_memory_with_format(&bytes, format).unwrap();
    assert_eq!(picture.dimensions(), (image.width, image.height));
    (image, picture)
}

#[test]
fn every_kind_is_known_by_its_first_bytes_and_seen() {
    let picture = noise(8, 6);
    for (kind, name) in [
        (ImageFormat::Png, "PNG"),
        (ImageFormat::Jpeg, "JPEG"),
        (ImageFormat::Gif, "GIF"),
        (ImageFormat::WebP, "WebP"),
        (ImageFormat::Bmp, "BMP"),
    ] {
        let bytes = of(&picture, kind);
        assert_eq!(format(&bytes), Some(kind));
        let outcome = seen(&bytes, kind, "a").unwrap();
        assert!(outcome.told.starts_with(&format!("[a: {name} image of 8 × 6 pixels, ")), "{}", outcome.told);
        assert_eq!(sent(&outcome).1.dimensions(), (8, 6));
    }
}

#[test]
fn text_that_begins_like_a_picture_is_text() {
    for start in ["BM and more words, longer than a header", "GIF89a is a format", "RIFF WEBP", "\u{fffd}PNG", ""] {
        assert_eq!(format(start.as_bytes()), None, "{start}");
    }
}

#[test]
fn the_longer_side_is_scaled_down_and_the_shape_stays() {
    for (given, scaled) in [((2048, 1024), (1024, 512)), ((600, 3000), (205, 1024)), ((1024, 1024), (1024, 1024))] {
        let bytes = of(&DynamicImage::new_rgb8(given.0, given.1), ImageFormat::Png);
        assert_eq!(sent(&seen(&bytes, ImageFormat::Png, "a").unwrap()).1.dimensions(), scaled);
    }
}

#[test]
fn what_is_small_is_exact_and_what_is_large_becomes_jpeg() {
    let small = seen(&of(&noise(20, 20), ImageFormat::Png), ImageFormat::Png, "a").unwrap();
    let (image, picture) = sent(&small);
    assert_eq!((image.mime.as_str(), picture.to_rgb8()), ("image/png", noise(20, 20).to_rgb8()));
    let large = seen(&of(&noise(500, 500), ImageFormat::Png), ImageFormat::Png, "a").unwrap();
    assert_eq!(sent(&large).0.mime, "image/jpeg");
}

#[test]
fn what_shines_through_lies_on_white() {
    let mut picture = RgbaImage::from_pixel(2, 1, Rgba([0, 0, 0, 0]));
    picture.put_pixel(1, 0, Rgba([10, 20, 30, 255]));
    let flat = on_white(&DynamicImage::ImageRgba8(picture));
    assert_eq!((flat.get_pixel(0, 0).0, flat.get_pixel(1, 0).0), ([255; 3], [10, 20, 30]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_damage_stops_more_than_the_look(at in 0_usize..200, byte in any::<u8>(), length in 0_usize..400) {
        for kind in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP, ImageFormat::Bmp] {
            let mut bytes = of(&noise(8, 6), kind);
            let place = at % bytes.len();
            bytes[place] = byte;
            bytes.truncate(length.max(1));
            if let Some(kind) = format(&bytes) {
                let _ = seen(&bytes, kind, "a");
            }
        }
    }
}

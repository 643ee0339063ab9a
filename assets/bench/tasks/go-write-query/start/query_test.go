package query

import (
	"reflect"
	"testing"
)

func TestWords(t *testing.T) {
	got, err := @@FN@@("sea  stories")
	want := []Term{{Value: "sea"}, {Value: "stories"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestField(t *testing.T) {
	got, err := @@FN@@(`@@NEG@@by:"Ann Lee" Year>1990`)
	want := []Term{
		{Not: true, Field: "by", Op: ":", Value: "Ann Lee"},
		{Field: "year", Op: ">", Value: "1990"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}
